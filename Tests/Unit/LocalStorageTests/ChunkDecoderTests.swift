import Cryptography
import Testing

@testable import LocalStorage
@testable import Presigning

/// The first two examples are those of the Amazon S3 API reference, "Transferring Payload in Multiple Chunks".
@Suite("Decoding of aws-chunked content")
struct ChunkDecoderTests {
    private static let secret = SecretBytes(Array("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".utf8))
    private static let content = [UInt8](repeating: UInt8(ascii: "a"), count: 66_560)
    private static let trailerName = "x-amz-checksum-crc32c"

    /// The verifier after the request of the documented example, with or without a trailer.
    private static func signatures(trailer: Bool) throws -> ChunkSignatures {
        let names =
            trailer
            ? "content-encoding;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;"
                + "x-amz-storage-class;x-amz-trailer"
            : "content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;"
                + "x-amz-storage-class"
        let signature =
            trailer
            ? "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e"
            : "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"
        let payload = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" + (trailer ? "-TRAILER" : "")
        let request = PresignedURLVerifier.Request(
            method: "PUT", host: "s3.amazonaws.com", target: Array("/examplebucket/chunkObject.txt".utf8),
            headers: [
                ("x-amz-date", "20130524T000000Z"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
                (
                    "Authorization",
                    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                        + "SignedHeaders=\(names),Signature=\(signature)"
                ),
                ("x-amz-content-sha256", payload), ("Content-Encoding", "aws-chunked"),
                ("x-amz-decoded-content-length", "66560"),
            ] + (trailer ? [("x-amz-trailer", trailerName)] : [("Content-Length", "66824")]))
        let time = SigningTime(secondsSince1970: 1_369_353_600)
        let received = try ReceivedSignature(headersOf: request)
        #expect(PresignedURLVerifier().verify(received, at: time) { _ in secret } == .valid)
        return ChunkSignatures(after: received, secret: secret)
    }

    private static let plain =
        chunk("10000", "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648")
        + chunk("400", "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497")
        + chunk("0", "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9")
    private static let trailing =
        chunk("10000", "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2")
        + chunk("400", "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7")
        + "0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\n"
        + "x-amz-checksum-crc32c:sOO8/Q==\r\n"
        + "x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n"

    private static func chunk(_ size: String, _ signature: String) -> String {
        "\(size);chunk-signature=\(signature)\r\n"
            + String(repeating: "a", count: Int(size, radix: 16) ?? 0) + "\r\n"
    }

    private static func decoder(trailer: Bool) throws -> ChunkDecoder {
        ChunkDecoder(
            length: content.count, signatures: try signatures(trailer: trailer), hasTrailer: trailer,
            trailerName: trailer ? Array(trailerName.utf8) : nil)
    }

    /// Feeds the text in pieces. Returns the content and the trailer.
    private static func decode(
        _ text: String, with decoder: ChunkDecoder, by size: Int = 4096
    ) throws(S3Error) -> (content: [UInt8], trailer: [UInt8]?) {
        var (decoder, content): (ChunkDecoder, [UInt8]) = (decoder, [])
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            var piece = rest.prefix(size)
            rest = rest.dropFirst(piece.count)
            while let data = try decoder.next(&piece) { content += data }
        }
        return (content, try decoder.finish())
    }

    @Test("The documented examples are decoded, however they arrive", arguments: [1, 7, 4096, 100_000])
    func documented(by size: Int) throws {
        let plain = try Self.decode(Self.plain, with: try Self.decoder(trailer: false), by: size)
        #expect(plain.content == Self.content && plain.trailer == nil)
        let trailing = try Self.decode(Self.trailing, with: try Self.decoder(trailer: true), by: size)
        #expect(trailing.content == Self.content && trailing.trailer == Array("sOO8/Q==".utf8))
    }

    /// Changes of the signed content, and the code of the error.
    static let changes: [(trailer: Bool, old: String, new: String, code: String)] = [
        (false, "aaaa\r\n400;", "aaab\r\n400;", "SignatureDoesNotMatch"),
        (false, "ad80c730", "ad80c731", "SignatureDoesNotMatch"),
        (false, "b6c6ea8a", "b6c6ea8b", "SignatureDoesNotMatch"),
        (false, "400;chunk-signature", "3ff;chunk-signature", "InvalidRequest"),
        (false, "0;chunk-signature=b6c6", "0;chunk-signatur=b6c6", "InvalidRequest"),
        (false, "9df9\r\n\r\n", "9df9\r\n", "IncompleteBody"),
        (false, "9df9\r\n\r\n", "9df9\r\n\r\nx", "InvalidRequest"),
        (false, "9df9\r\n\r\n", "9df9\r\nx-amz-checksum-crc32c:sOO8/Q==\r\n\r\n", "MalformedTrailerError"),
        (true, "sOO8/Q==", "sOO9/Q==", "SignatureDoesNotMatch"),
        (true, "d81f82fc", "d81f82fd", "SignatureDoesNotMatch"),
        (true, "x-amz-checksum-crc32c:sOO8/Q==\r\n", "", "MalformedTrailerError"),
        (true, "crc32c:", "crc32:", "MalformedTrailerError"),
        (true, "x-amz-trailer-signature:", "x-amz-other:", "MalformedTrailerError"),
    ]

    @Test("Any change of the data, a signature or the trailer is refused", arguments: changes)
    func changed(trailer: Bool, old: String, new: String, code: String) throws {
        let text = trailer ? Self.trailing : Self.plain
        try #require(text.contains(old))
        let decoder = try Self.decoder(trailer: trailer)
        let error = #expect(throws: S3Error.self) { try Self.decode(text.replacing(old, with: new), with: decoder) }
        #expect(error?.code == code)
    }

    @Test("Chunks in another order are refused")
    func order() throws {
        let first = Self.chunk("2", "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648")
        let decoder = try Self.decoder(trailer: false)
        let error = #expect(throws: S3Error.self) { try Self.decode(first + Self.plain, with: decoder) }
        #expect(error?.code == "SignatureDoesNotMatch")
    }

    /// Unsigned content with a trailer, and the decoded content or the code of the error.
    static let unsigned: [(String, String)] = [
        ("3\r\nabc\r\n0\r\nx-amz-checksum-crc32c:AAAAAA==\r\n\r\n", "abc"),
        ("1\r\na\r\n2\r\nbc\r\n0\r\nX-Amz-Checksum-CRC32C: AAAAAA==\r\n\r\n", "abc"),
        ("003\r\na\r\n\r\n0\r\nx-amz-checksum-crc32c:AAAAAA==\r\n\r\n", "a\r\n"),
        ("3\r\nabc\r\n0\r\n\r\n", "MalformedTrailerError"),
        ("2\r\nab\r\n0\r\nx-amz-checksum-crc32c:AAAAAA==\r\n\r\n", "IncompleteBody"),
        ("3\r\nab", "IncompleteBody"), ("", "IncompleteBody"), ("3\r\nabc\r\n", "IncompleteBody"),
        ("4\r\nabcd\r\n", "InvalidRequest"), ("3\r\nabcd\r\n", "InvalidRequest"), ("3\nabc\n", "InvalidRequest"),
        ("-3\r\n", "InvalidRequest"), ("\r\n", "InvalidRequest"), ("g\r\n", "InvalidRequest"),
        ("3;x=1\r\nabc\r\n", "InvalidRequest"), ("ffffffffffffffff\r\n", "InvalidRequest"),
        (String(repeating: "0", count: 600), "InvalidRequest"),
    ]

    @Test("Unsigned chunks are decoded strictly", arguments: unsigned)
    func strict(_ text: String, _ outcome: String) {
        for size in [1, 1000] {
            let decoder = ChunkDecoder(
                length: 3, signatures: nil, hasTrailer: true, trailerName: Array(Self.trailerName.utf8))
            do throws(S3Error) {
                let found = try Self.decode(text, with: decoder, by: size)
                #expect(String(decoding: found.content, as: UTF8.self) == outcome)
                #expect(found.trailer == Array("AAAAAA==".utf8))
            } catch {
                #expect(error.code == outcome)
            }
        }
    }
}
