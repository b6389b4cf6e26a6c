import Cryptography
import HTTP1
import HTTPClient
import Presigning
import StorageCredentials
import TestSupport

@testable import AccessRulesTestSupport

/// A response of the instance metadata service, a container's credential endpoint, or STS.
struct SimulatedEndpoint {
    enum Behavior {
        /// Credentials with this life in seconds, which can be in the past.
        case credentials(Int)
        /// The credentials that were returned last, if there are any.
        case same
        case status(Int)
        /// A 200 with something else.
        case document(String)
        /// Bytes that are not HTTP.
        case noHTTP
        /// The connection ends in the middle of the response.
        case cutShort
        case refusedConnection

        init(_ random: inout RandomPolicy) {
            let life = random.one(of: [70, 300, 900, 1800, 3600, 7200])
            let behaviors: [Behavior] = [
                .credentials(life), .credentials(life), .credentials(life), .credentials(life), .credentials(life),
                .credentials(life), .credentials(life), .credentials(life), .credentials(life), .credentials(life),
                .same, .credentials(random.one(of: [1, 59, 60, 61, 90])), .credentials(random.one(of: [-7200, -1, 0])),
                .status(random.one(of: [400, 401, 403, 404, 500, 503])), .noHTTP, .cutShort, .refusedConnection,
                .document(random.one(of: ["", "{}", "<a/>", "null", "{\"AccessKeyId\":\"AKID\"}"])),
            ]
            self = random.one(of: behaviors)
        }
    }

    /// Whether the request is the one for the credentials, and not for a token or the name of a role.
    static func isForCredentials(_ request: FetchRequest) -> Bool {
        !request.url.target.hasPrefix("/latest/") || request.url.target.hasSuffix("/role")
    }

    /// The response, as the shipped client reads it.
    ///
    /// - Parameter credentials: what the endpoint returns; nil if it returns none.
    static func response(
        _ behavior: Behavior, to request: FetchRequest, _ credentials: Credentials?, of source: CredentialSelection
    ) -> Result<FetchResponse, FetchFailure> {
        switch behavior {
        case .credentials, .same:
            if !isForCredentials(request) {
                return received(message(200, request.method == .put ? "token" : "role"), for: request)
            }
            guard let credentials else { return received(message(503, "none"), for: request) }
            return received(message(200, document(credentials, of: source)), for: request)
        case .status(let status): return received(message(status, "no"), for: request)
        case .document(let text): return received(message(200, text), for: request)
        case .noHTTP: return received("SSH-2.0-OpenSSH_9.6\r\n\r\n", for: request)
        case .cutShort: return received(String(message(200, "cut short").dropLast()), for: request)
        case .refusedConnection: return .failure(.unreachable("Connection refused"))
        }
    }

    private static func message(_ status: Int, _ body: String) -> String {
        "HTTP/1.1 \(status) x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// What `HTTPFetch` makes of a connection that ends after these bytes.
    private static func received(_ text: String, for request: FetchRequest) -> Result<FetchResponse, FetchFailure> {
        var parser = ResponseParser(bodyLimit: request.limit, answersHEAD: request.method == .head)
        do throws(HTTPFailure) {
            guard try parser.take(Array(text.utf8)[...]) || parser.mayEnd else { return .failure(.cutShort) }
        } catch {
            return .failure(.malformed)
        }
        return .success(
            FetchResponse(status: parser.status, headers: parser.headers, body: Array(parser.body)))
    }

    private static func document(_ credentials: Credentials, of source: CredentialSelection) -> String {
        let secret = credentials.secretAccessKey.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        let members = [
            ("AccessKeyId", credentials.accessKeyID), ("SecretAccessKey", String(decoding: secret, as: UTF8.self)),
            (source == .webIdentity ? "SessionToken" : "Token", credentials.sessionToken ?? ""),
            ("Expiration", credentials.expiration?.rfc3339Text ?? ""),
        ]
        guard source == .webIdentity else {
            let fields = ([("Code", "Success")] + members).map { "\"\($0)\":\"\($1)\"" }
            return "{\(fields.joined(separator: ","))}"
        }
        let elements = members.map { "<\($0)>\($1)</\($0)>" }.joined()
        return "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>\(elements)"
            + "</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>"
    }
}
