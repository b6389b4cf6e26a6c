import SocketTestSupport

@testable import Cryptography
@testable import LocalStorage
@testable import Presigning
@testable import Text

/// Signs requests in the `Authorization` header as an SDK does, without the code of the verifier.
struct HeaderSigner {
    let credentials: Credentials
    let time: SigningTime
    var region = "us-east-1"

    private var date: String { text { time.appendBasic(to: &$0) } }
    private var day: String { text { time.appendDay(to: &$0) } }
    private var scope: String { "\(day)/\(region)/s3/aws4_request" }

    private func text(_ append: (inout ByteBuffer) -> Void) -> String {
        var buffer = ByteBuffer(capacity: 16)
        append(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// Returns all headers of a request, with its signature.
    ///
    /// - Parameter query: sorted, percent-encoded and with `=` after each name.
    func headers(
        _ method: String, _ path: String, query: String = "", host: String, payload: String,
        _ others: [(String, String)] = []
    ) -> (headers: [(String, String)], signature: String) {
        let headers = (others + [("host", host), ("x-amz-content-sha256", payload), ("x-amz-date", date)])
            .sorted { $0.0 < $1.0 }
        let names = headers.map(\.0).joined(separator: ";")
        let lines = headers.map { "\($0.0):\($0.1)\n" }.joined()
        let canonical = "\(method)\n\(path)\n\(query)\n\(lines)\n\(names)\n\(payload)"
        let signature = sign("AWS4-HMAC-SHA256\n\(date)\n\(scope)\n\(Self.hash(canonical))")
        let authorization =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope), "
            + "SignedHeaders=\(names), Signature=\(signature)"
        return (headers.filter { $0.0 != "host" } + [("Authorization", authorization)], signature)
    }

    /// Returns content as signed chunks, with a trailer if there is one.
    func chunks(_ pieces: [String], after seed: String, trailer: (name: String, value: String)? = nil) -> String {
        var (previous, text) = (seed, "")
        for piece in pieces + [""] {
            let hashes = "\(Self.hash(""))\n\(Self.hash(piece))"
            previous = sign("AWS4-HMAC-SHA256-PAYLOAD\n\(date)\n\(scope)\n\(previous)\n\(hashes)")
            text += "\(String(piece.utf8.count, radix: 16));chunk-signature=\(previous)\r\n"
            if !piece.isEmpty { text += piece + "\r\n" }
        }
        if let (name, value) = trailer {
            let hash = Self.hash("\(name):\(value)\n")
            let signature = sign("AWS4-HMAC-SHA256-TRAILER\n\(date)\n\(scope)\n\(previous)\n\(hash)")
            text += "\(name):\(value)\r\nx-amz-trailer-signature:\(signature)\r\n"
        }
        return text + "\r\n"
    }

    static func hash(_ text: String) -> String { Hexadecimal.encode(SHA256.hash(Array(text.utf8)).bytes) }

    private func sign(_ text: String) -> String {
        let secret = credentials.secretAccessKey.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        var key = Array("AWS4".utf8) + secret
        for part in [day, region, "s3", "aws4_request", text] {
            key = HMACSHA256(key: key).authenticationCode(for: Array(part.utf8)).bytes
        }
        return Hexadecimal.encode(key)
    }
}

extension LiveStore {
    /// A request that is signed in its header.
    struct Signed {
        var method = "GET"
        var path = "/local/key"
        var query = ""
        var headers: [(String, String)] = []
        /// The value of `x-amz-content-sha256`; nil for the hash of the body.
        var payload: String?
        var body: String?
    }

    var signer: HeaderSigner { HeaderSigner(credentials: store.credentials, time: now) }

    /// Signs and sends a request.
    func send(_ signed: Signed, by signer: HeaderSigner? = nil) throws -> RawResponse {
        let (headers, _) = (signer ?? self.signer).headers(
            signed.method, signed.path, query: signed.query, host: "127.0.0.1:\(port)",
            payload: signed.payload ?? HeaderSigner.hash(signed.body ?? ""), signed.headers)
        return try send(
            signed.method, signed.path + (signed.query.isEmpty ? "" : "?" + signed.query), headers: headers,
            body: signed.body.map { Array($0.utf8) })
    }
}
