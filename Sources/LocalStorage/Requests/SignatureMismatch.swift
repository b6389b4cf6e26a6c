import Presigning
import Text

/// A request whose signature does not match, and the search for the request that was signed instead.
///
/// A signature is a hash, so it does not show what was signed. The search undoes the mistakes that clients make often,
/// one at a time, until a variation of the request matches the signature.
struct SignatureMismatch {
    typealias Request = PresignedURLVerifier.Request

    /// Limits the work that one request can cause: a search verifies at most about 220 variations.
    private static let maximumTarget = 4096
    /// The maximum size of all verified variations, in bytes: 220 of 1.2 KB, or the 80 more probable ones of 3.2 KB.
    static let maximumBytes = 256 * 1024

    let request: Request
    /// Whether the signature is in the `Authorization` header; otherwise in the URL.
    var isSignedInHeader = false
    /// The path and the host before a proxy changed them (`X-Forwarded-Prefix`, `X-Forwarded-Host`); nil if unknown.
    var forwarded: (prefix: String?, host: String?) = (nil, nil)
    /// The names of the signed headers, in lower case.
    let signedHeaders: [[UInt8]]
    /// Whether the signature matches a variation of the request.
    let matches: (Request) -> Bool

    /// The request that was signed, and how the received one differs from it; nil if the search finds nothing.
    var variation: Variation? {
        guard request.target.count <= Self.maximumTarget else { return nil }
        var rest = Self.maximumBytes
        let isSigned = { (variation: Variation) -> Bool in
            rest -= variation.request.byteCount
            return rest >= 0 && matches(variation.request)
        }
        return reportedPaths.first(where: isSigned) ?? methods.first(where: isSigned) ?? hosts.first(where: isSigned)
            ?? paths.first(where: isSigned) ?? parameters.first(where: isSigned)
            ?? headers(of: request).first(where: isSigned)
            ?? methods.lazy.flatMap { headers(of: $0) }.first(where: isSigned)
            ?? removedPaths.first(where: isSigned)
    }

    /// A request that might have been signed, and how the received one differs from it.
    struct Variation {
        let request: Request
        let sentence: String
    }

    /// What to compare if the search finds nothing.
    var unexplained: String {
        let headers = request.headers.filter { !$0.name.elementsEqual("host".utf8) && signedHeaders.contains($0.name) }
            .map { "\(String(decoding: $0.name, as: UTF8.self)): \(String(decoding: $0.value, as: UTF8.self))" }
        return "No common mistake explains the difference. Compare with what was signed: the method \(request.method), "
            + "the host \(request.host), the URL"
            + (headers.isEmpty ? "" : ", the headers \(headers.joined(separator: ", "))") + ", the secret access key."
            + (isSignedInHeader ? " The SDK's debug log has its canonical request; compare it with this one." : "")
    }

    /// What was signed, and what refers to the received request after it.
    private var subject: String { isSignedInHeader ? "request" : "URL" }
    private var pronoun: String { isSignedInHeader ? "it" : "the request" }

    private static let allMethods = ["GET", "PUT", "HEAD", "POST", "DELETE"]

    private var methods: [Variation] {
        Self.allMethods.filter { $0 != request.method }.map { method in
            Variation(
                request: request.with(method: method),
                sentence: "The \(subject) was signed for \(method), but \(pronoun) uses \(request.method).")
        }
    }

    /// The other names of this machine, with the port of the request, without one, and with the default port.
    private var hosts: [Variation] {
        let port = request.host.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(request.host[$0...]) } ?? ""
        let names: [String] = ["127.0.0.1", "localhost", "[::1]"].flatMap { name in
            Set([port, "", ":8081"]).map { name + $0 }
        }
        return
            names
            .filter { $0 != request.host }.map { host in
                Variation(
                    request: request.with(host: host),
                    sentence: "The \(subject) was signed for the host \(host), but \(pronoun) names \(request.host).")
            }
    }

    private func headers(of variation: Variation) -> [Variation] {
        headers(of: variation.request).map {
            Variation(request: $0.request, sentence: variation.sentence + " " + $0.sentence)
        }
    }
}

extension SignatureMismatch.Request {
    /// The size of what is verified.
    var byteCount: Int { headers.reduce(target.count) { $0 + $1.name.count + $1.value.count } }

    /// Returns the same request with some parts replaced.
    func with(
        method: String? = nil, host: String? = nil, target: [UInt8]? = nil,
        headers: [(name: [UInt8], value: [UInt8])]? = nil
    ) -> PresignedURLVerifier.Request {
        PresignedURLVerifier.Request(
            method: method ?? self.method, host: host ?? self.host, target: target ?? self.target,
            lowercase: headers ?? self.headers)
    }
}
