import HTTP1
import System

/// One result of parsing.
enum ParserEvent: Equatable {
    case request(method: String, path: String, query: String?, fields: [String], body: String)
    case failure(HTTPFailure)
}

/// Feeds `input` in pieces of these lengths, then the rest, and retains every message's bytes as a connection does.
func events(
    _ input: [UInt8], pieces: [Int] = [], limits: HTTPLimits = HTTPLimits(), dropping: Bool = false
) -> [ParserEvent] {
    var events: [ParserEvent] = []
    var parser = RequestParser()
    var fields = FieldTable()
    var buffer: [UInt8] = []
    var taken = 0
    for piece in pieces + [input.count] {
        buffer += input[taken..<min(input.count, taken + piece)]
        taken = min(input.count, taken + piece)
        do {
            while !buffer.isEmpty {
                let step = try parser.advance(over: buffer.span, limits: limits, into: &fields)
                if step == .needsMore { break }
                if step == .emptyLine {
                    buffer.removeFirst(parser.message.position)
                    parser.reset()
                    continue
                }
                if step == .head {
                    parser.message.bodyLimit = limits.bodyBytes
                    continue
                }
                events.append(request(parser, fields, buffer))
                buffer.removeFirst(parser.message.position)
                parser.reset()
            }
        } catch {
            return events + [.failure(error)]
        }
        if dropping, let range = parser.message.droppable {
            buffer.removeSubrange(range)
            parser.message.dropped()
        }
    }
    return events
}

private func request(_ parser: RequestParser, _ fields: FieldTable, _ buffer: [UInt8]) -> ParserEvent {
    var request = HTTPRequest(receiving: buffer)
    request.headers.fields = fields
    request.begin(parser, at: 0, from: .unix)
    let message = parser.message
    let body =
        message.head.contentLength.map { buffer[(message.position - $0)..<message.position] } ?? message.content[...]
    return .request(
        method: request.method.description, path: text(request.path), query: request.query.map { text($0) },
        fields: request.headers.map { text($0.name) + "=" + text($0.value) }, body: text(body))
}

/// One character per byte, so that different inputs give different texts.
func text(_ bytes: some Collection<UInt8>) -> String {
    var scalars = String.UnicodeScalarView()
    for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
    return String(scalars)
}
