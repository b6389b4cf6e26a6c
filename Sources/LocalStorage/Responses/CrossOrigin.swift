import HTTP1
import Text

/// The buckets' rule for web pages: every configured origin may do everything a pre-signed URL can allow.
///
/// Source: Amazon S3 user guide, "Using cross-origin resource sharing"; WHATWG Fetch, "CORS protocol". Nothing here
/// goes by cookies, so `Access-Control-Allow-Credentials` is not sent, and `*` is safe to configure. It does not stand for
/// `null`, the origin of sandboxed frames and local files.
struct CrossOrigin: Sendable {
    private static let methods = ["GET", "PUT", "HEAD", "POST", "DELETE"]
    private static let exposed =
        "ETag, Content-Length, Content-Range, Accept-Ranges, Content-Disposition, x-amz-request-id, x-amz-id-2, "
        + ChecksumAlgorithm.allCases.map(\.header).joined(separator: ", ") + ", x-amz-checksum-type"
    private static let refusal =
        "CORSResponse: This CORS request is not allowed. This is usually because the evalution of Origin, request "
        + "method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the "
        + "resource's CORS spec."

    private let origins: [[UInt8]]
    private let allowsAny: Bool

    init(origins: [String]) {
        self.origins = origins.map { Array($0.utf8) }
        allowsAny = origins.contains("*")
    }

    /// What `Access-Control-Allow-Origin` is to say; nil when the origin is not allowed.
    private func grant(to origin: [UInt8]) -> [UInt8]? {
        if origins.contains(origin) { return origin }
        return allowsAny && !origin.elementsEqual("null".utf8) ? Array("*".utf8) : nil
    }

    /// Lets the page read the answer; for every answer, errors included.
    func decorate(_ response: inout HTTPResponse, for origin: [UInt8]?) {
        guard !origins.isEmpty else { return }
        response.add("vary", "Origin, Access-Control-Request-Headers, Access-Control-Request-Method")
        guard let origin, let grant = grant(to: origin) else { return }
        response.add("access-control-allow-origin", grant)
        response.add("access-control-expose-headers", Self.exposed)
    }

    /// The answer to a preflight; the grant of the origin itself comes with `decorate`.
    func preflight(_ headers: HTTPHeaders) throws(S3Error) -> HTTPResponse {
        guard let origin = headers.first(.origin) else {
            throw S3Error(400, "BadRequest", "Insufficient information. Origin request header needed.")
        }
        guard let method = headers.first(.accessControlRequestMethod) else {
            throw S3Error(400, "BadRequest", "Invalid Access-Control-Request-Method: null")
        }
        guard !origins.isEmpty else {
            throw refused("CORSResponse: CORS is not enabled for this bucket.", method)
        }
        let wanted = headers.first(.accessControlRequestHeaders) ?? []
        guard grant(to: Array(origin)) != nil, Self.methods.contains(where: { $0.utf8.elementsEqual(method) }),
            Self.isTokenList(wanted)
        else { throw refused(Self.refusal, method) }
        var response = HTTPResponse(status: 200)
        response.add("access-control-allow-methods", Self.methods.joined(separator: ", "))
        if !wanted.isEmpty { response.add("access-control-allow-headers", wanted.span) }
        response.add("access-control-max-age", "3000")
        return response
    }

    private func refused(_ message: String, _ method: ArraySlice<UInt8>) -> S3Error {
        S3Error(403, "AccessForbidden", message, [("Method", Array(method)), ("ResourceType", Array("OBJECT".utf8))])
    }

    /// Whether a text is a list of header names, or nothing.
    private static func isTokenList(_ text: ArraySlice<UInt8>) -> Bool {
        text.split(separator: ASCII.comma).allSatisfy { item in
            let name = item.trimmed
            return !name.isEmpty && name.allSatisfy(ASCII.isToken)
        }
    }
}
