import Cryptography
import Presigning
import Text

/// Decodes `aws-chunked` content as it arrives, and compares the signatures of its chunks.
///
/// ```
/// SIZE[;chunk-signature=SIGNATURE]     in hexadecimal; then that many bytes; the last chunk has size 0
/// x-amz-checksum-NAME:VALUE            if the request announces it in x-amz-trailer
/// x-amz-trailer-signature:SIGNATURE    if the chunks are signed and a trailer was announced
///                                      an empty line
/// ```
///
/// Source: Amazon S3 API reference, "Signature Calculations for the Authorization Header: Transferring Payload in
/// Multiple Chunks", and the same "Including Trailing Headers".
struct ChunkDecoder: Sendable {
    private enum State: Equatable {
        case header
        case data(remaining: Int)
        case dataEnd
        case trailer
        case end
    }

    /// The longest line of a client has about 120 bytes.
    private static let maximumLine = 512

    private var state = State.header
    private var line: [UInt8] = []
    private var chunkNumber = 0
    private var hash = SHA256()
    private var signature: [UInt8] = []
    /// The bytes that may still come.
    private var expected: Int
    /// Nil if the chunks are not signed.
    private var signatures: ChunkSignatures?
    private let hasTrailer: Bool
    /// The announced trailer, in lower case.
    private let trailerName: [UInt8]?
    private var trailer: [UInt8]?
    private var trailerSignature: [UInt8] = []

    /// - Parameters:
    ///   - length: the size of the decoded content in bytes.
    ///   - signatures: verifies the chunks; nil if they are not signed.
    ///   - trailerName: the announced trailer, in lower case.
    init(length: Int, signatures: ChunkSignatures?, hasTrailer: Bool, trailerName: [UInt8]?) {
        (expected, self.signatures, self.hasTrailer) = (length, signatures, hasTrailer)
        self.trailerName = trailerName
    }

    /// Returns the next piece of the content and removes it from `input`; nil once `input` is used up.
    mutating func next(_ input: inout ArraySlice<UInt8>) throws(S3Error) -> ArraySlice<UInt8>? {
        while !input.isEmpty {
            if case .data(let remaining) = state { return takeData(&input, remaining) }
            guard state != .end else { throw Self.malformed("there are bytes after its end") }
            guard let line = try takeLine(&input) else { return nil }
            switch state {
            case .header: try begin(line)
            case .dataEnd:
                guard line.isEmpty else { throw Self.malformed("a chunk is longer than its size") }
                try verifyChunk()
                state = .header
            case .trailer where line.isEmpty: try end()
            case .trailer: try addTrailer(line)
            case .data, .end: break
            }
        }
        return nil
    }

    /// Returns the value of the announced trailer. Throws if the content is incomplete.
    func finish() throws(S3Error) -> [UInt8]? {
        guard state == .end else { throw .incompleteBody }
        return trailer
    }

    private mutating func takeData(_ input: inout ArraySlice<UInt8>, _ remaining: Int) -> ArraySlice<UInt8> {
        let piece = input.prefix(remaining)
        input = input.dropFirst(piece.count)
        if signatures != nil { hash.update(piece.span) }
        state = piece.count < remaining ? .data(remaining: remaining - piece.count) : .dataEnd
        return piece
    }

    /// Returns the next line without its end; nil until it is complete.
    private mutating func takeLine(_ input: inout ArraySlice<UInt8>) throws(S3Error) -> [UInt8]? {
        let part = input.prefix { $0 != ASCII.lineFeed }
        guard line.count + part.count <= Self.maximumLine else { throw Self.malformed("a line is too long") }
        line += part
        input = input.dropFirst(part.count + 1)
        guard part.endIndex < input.startIndex else { return nil }
        guard line.popLast() == ASCII.carriageReturn else { throw Self.malformed("a line does not end with CRLF") }
        defer { line = [] }
        return line
    }

    /// Begins a chunk with its first line.
    private mutating func begin(_ line: [UInt8]) throws(S3Error) {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        let rest = line.dropFirst(digits.count)
        guard 1...15 ~= digits.count, ASCII.lowercased(digits).allSatisfy(ASCII.isLowercaseHexadecimal),
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw Self.malformed("the size of a chunk is not a hexadecimal number") }
        guard size <= expected else { throw Self.malformed("it is longer than x-amz-decoded-content-length") }
        let name = Array(";chunk-signature=".utf8)
        guard signatures == nil ? rest.isEmpty : rest.starts(with: name) else {
            throw Self.malformed(signatures == nil ? "a chunk has an extension" : "a chunk has no signature")
        }
        signature = Array(rest.dropFirst(name.count))
        expected -= size
        chunkNumber += 1
        if signatures != nil { hash = SHA256() }
        if size > 0 {
            state = .data(remaining: size)
        } else {
            try verifyChunk()
            state = .trailer
        }
    }

    private mutating func verifyChunk() throws(S3Error) {
        guard signatures?.accepts(signature, ofChunk: hash.digest()) ?? true else {
            throw .wrongSignature("The signature of chunk \(chunkNumber) does not match its data.")
        }
    }

    private mutating func addTrailer(_ line: [UInt8]) throws(S3Error) {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        let value = Array(line.dropFirst(name.count + 1).trimmed)
        if signatures != nil, name.span.equalsIgnoringCase("x-amz-trailer-signature"), trailerSignature.isEmpty {
            trailerSignature = value
        } else if hasTrailer, trailer == nil, ASCII.lowercased(name) == trailerName {
            trailer = value
        } else {
            throw Self.malformedTrailer
        }
    }

    private mutating func end() throws(S3Error) {
        guard expected == 0 else { throw .incompleteBody }
        guard (trailer == nil) == (trailerName == nil) else { throw Self.malformedTrailer }
        if hasTrailer, signatures != nil {
            var signed: [UInt8] = []
            if let trailerName, let trailer {
                signed = trailerName + [UInt8(ascii: ":")] + trailer + [ASCII.lineFeed]
            }
            guard signatures?.accepts(trailerSignature, ofTrailer: SHA256.hash(signed)) ?? true else {
                throw .wrongSignature("The signature of the trailer does not match it.")
            }
        }
        state = .end
    }

    private static func malformed(_ reason: String) -> S3Error {
        .invalidRequest("The content is not valid aws-chunked coding: \(reason).")
    }

    private static let malformedTrailer = S3Error(
        400, "MalformedTrailerError",
        "The request contained trailing data that was not well-formed or did not conform to our published schema.")
}
