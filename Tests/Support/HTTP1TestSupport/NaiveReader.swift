import HTTP1

/// A slow HTTP/1.1 request reader to compare `RequestParser` with, written from RFC 9110, 9112 and 3986. It needs the
/// whole input, copies every part, and shares nothing with the parser except the limits.
struct NaiveReader {
    /// The reason why reading stopped.
    enum Stop: Error, Equatable {
        case incomplete
        case refused(Int)
    }

    let input: [UInt8]
    let limits: HTTPLimits
    var at = 0
    var extra = 0

    /// All requests in `input`, and the status that rejects the remaining input, if any.
    static func read(_ input: [UInt8], limits: HTTPLimits) -> (requests: [ParserEvent], refusal: Int?) {
        var reader = NaiveReader(input: input, limits: limits)
        var requests: [ParserEvent] = []
        do throws(Stop) {
            while true { requests.append(try reader.request()) }
        } catch {
            guard case .refused(let status) = error else { return (requests, nil) }
            return (requests, status)
        }
    }

    private mutating func request() throws(Stop) -> ParserEvent {
        var words: [[UInt8]] = []
        while words.isEmpty {
            guard at < input.count else { throw .incomplete }
            guard Grammar.isToken([input[at]]) || input[at] == 13 else { throw .refused(400) }
            let line = try line(atMost: limits.requestLine, else: 414)
            if !line.isEmpty { words = line.split(separator: 32, omittingEmptySubsequences: false).map { Array($0) } }
        }
        guard words.count >= 3, Grammar.isToken(words[0]) else { throw .refused(400) }
        let target = Array(words[1..<(words.count - 1)].joined(separator: [32]))
        guard !target.isEmpty else { throw .refused(400) }
        let minor = try minorVersion(words[words.count - 1])
        var head = NaiveHead(method: words[0], minorVersion: minor)
        try head.read(target)
        var size = 0
        while true {
            let line = try line(atMost: limits.headerBytes - size - 2, else: 431)
            if line.isEmpty { break }
            size += line.count + 2
            guard head.fields.count < limits.headerCount else { throw .refused(431) }
            try head.add(line)
        }
        try head.check()
        return head.event(body: head.isChunked ? try chunks() : try body(of: head.length ?? 0))
    }

    private func minorVersion(_ word: [UInt8]) throws(Stop) -> UInt8 {
        guard word.count == 8, word.starts(with: "HTTP/".utf8), word[6] == 46, 48...57 ~= word[5], 48...57 ~= word[7]
        else { throw .refused(400) }
        guard word[5] == 49 else { throw .refused(505) }
        return word[7] - 48
    }

    /// The bytes up to CRLF.
    private mutating func line(atMost longest: Int, else status: Int) throws(Stop) -> [UInt8] {
        var line: [UInt8] = []
        while true {
            guard at < input.count else { throw .incomplete }
            let byte = input[at]
            if byte == 13 {
                guard at + 1 < input.count else { throw .incomplete }
                guard input[at + 1] == 10 else { throw .refused(400) }
                at += 2
                return line
            }
            guard byte >= 32 && byte != 127 || byte == 9 else { throw .refused(400) }
            line.append(byte)
            at += 1
            guard line.count <= max(0, longest) else { throw .refused(status) }
        }
    }

    private mutating func body(of length: Int) throws(Stop) -> [UInt8] {
        guard length <= limits.bodyBytes else { throw .refused(413) }
        guard input.count - at >= length else { throw .incomplete }
        defer { at += length }
        return Array(input[at..<(at + length)])
    }

    private mutating func chunks() throws(Stop) -> [UInt8] {
        var content: [UInt8] = []
        extra = 0
        while true {
            let size = try chunkSize()
            guard content.count + size <= limits.bodyBytes else { throw .refused(413) }
            if size == 0 { break }
            guard input.count - at >= size else { throw .incomplete }
            content += input[at..<(at + size)]
            at += size
            for byte: UInt8 in [13, 10] {
                guard at < input.count else { throw .incomplete }
                guard input[at] == byte else { throw .refused(400) }
                at += 1
            }
        }
        while true {
            let trailer = try line(atMost: limits.trailerBytes - extra - 2, else: 431)
            if trailer.isEmpty { return content }
            extra += trailer.count + 2
            guard extra <= limits.trailerBytes else { throw .refused(431) }
            _ = try NaiveHead.field(trailer)
        }
    }

    /// The size at the start of a chunk, rejected at the first invalid byte. Up to sixteen digits are the size; the
    /// rest of the line counts as extra bytes.
    private mutating func chunkSize() throws(Stop) -> Int {
        var digits: [UInt8] = []
        while at < input.count, Grammar.hexadecimalDigits.contains(input[at]) {
            digits.append(input[at])
            at += 1
            guard digits.drop(while: { $0 == 48 }).count <= 16 else { throw .refused(400) }
            if digits.count > 16 { extra += 1 }
            guard extra <= limits.trailerBytes else { throw .refused(431) }
        }
        guard at < input.count else { throw .incomplete }
        guard !digits.isEmpty, [9, 13, 32, 59].contains(input[at]) else { throw .refused(400) }
        let more = try line(atMost: limits.trailerBytes - extra, else: 431)
        extra += more.count
        guard extra <= limits.trailerBytes else { throw .refused(431) }
        guard Grammar.isChunkExtension(more) else { throw .refused(400) }
        let significant = digits.drop { $0 == 48 }
        guard let size = Int(significant.isEmpty ? "0" : text(significant), radix: 16) else { throw .refused(413) }
        return min(size, 1 << 40)
    }
}
