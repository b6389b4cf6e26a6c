import HTTP1
import Presigning
import Text

/// The CORS rule of all buckets: a page from a configured origin may do everything that a pre-signed URL can allow.
///
/// Source: Amazon S3 user guide, "Using cross-origin resource sharing".
struct CrossOrigin: Sendable {
    private static let methods = ["GET", "PUT", "HEAD", "POST", "DELETE"]
    private static let exposed =
        "ETag, Content-Length, Content-Range, Content-Encoding, Accept-Ranges, Content-Disposition, x-amz-request-id, "
        + "x-amz-id-2, " + ChecksumAlgorithm.allCases.map(\.header).joined(separator: ", ") + ", x-amz-checksum-type"
    /// The spelling of "evalution" is S3's.
    private static let refusal =
        "CORSResponse: This CORS request is not allowed. This is usually because the evalution of Origin, request "
        + "method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the "
        + "resource's CORS spec."

    private let policy: CORSPolicy

    /// - Parameter policy: the origins; preflights are cached for 50 minutes, as by default in S3.
    init(_ policy: CORSPolicy) {
        self.policy = CORSPolicy(origins: policy.texts, maxAge: 3000, allowsLoopback: policy.allowsLoopback)
    }

    /// Adds the fields that let the page read the response. Call it for every response, including errors.
    func decorate(_ response: inout HTTPResponse, for origin: [UInt8]?) {
        policy.append(to: &response.common, for: origin.map { $0[...] }, exposing: Self.exposed)
    }

    /// Returns the response to a preflight, without the origin's grant, which `decorate` adds.
    ///
    /// - Throws: the error that S3 returns for a refused preflight.
    func preflight(_ headers: HTTPHeaders) throws(S3Error) -> HTTPResponse {
        guard let origin = headers.first(.origin) else {
            throw S3Error(400, "BadRequest", "Insufficient information. Origin request header needed.")
        }
        guard let method = headers.first(.accessControlRequestMethod) else {
            throw S3Error(400, "BadRequest", "Invalid Access-Control-Request-Method: null")
        }
        guard !policy.isEmpty else {
            throw refused("CORSResponse: CORS is not enabled for this bucket.", method)
        }
        let wanted = headers.first(.accessControlRequestHeaders) ?? []
        guard policy.allows(origin), Self.methods.contains(where: { $0.utf8.elementsEqual(method) }),
            Self.isTokenList(wanted)
        else { throw refused(Self.refusal, method) }
        return policy.preflight(
            for: origin, status: 200, methods: Self.methods.joined(separator: ", "), headers: wanted.span)
    }

    private func refused(_ message: String, _ method: ArraySlice<UInt8>) -> S3Error {
        S3Error(403, "AccessForbidden", message, [("Method", Array(method)), ("ResourceType", Array("OBJECT".utf8))])
    }

    /// Whether a text is a comma-separated list of header names, possibly empty.
    private static func isTokenList(_ text: ArraySlice<UInt8>) -> Bool {
        text.split(separator: ASCII.comma).allSatisfy { item in
            let name = item.trimmed
            return !name.isEmpty && name.allSatisfy(ASCII.isToken)
        }
    }
}
