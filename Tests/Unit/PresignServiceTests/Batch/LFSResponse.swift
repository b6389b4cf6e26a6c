import Foundation
import SocketTestSupport

/// The body of a response of the Git LFS API.
struct LFSResponse: Decodable {
    struct Object: Decodable {
        struct Action: Decodable {
            let href: String
            let header: [String: String]
            let expires_in: Int
        }

        struct Failure: Decodable, Equatable {
            let code: Int
            let message: String
        }

        let oid: String
        let size: Int
        let authenticated: Bool?
        let actions: [String: Action]?
        let error: Failure?
    }

    let transfer: String
    let objects: [Object]

    /// The codes of the objects' errors; 200 for an object without one.
    var codes: [Int] { objects.map { $0.error?.code ?? 200 } }
}

extension RawResponse {
    func lfs() throws -> LFSResponse { try JSONDecoder().decode(LFSResponse.self, from: Data(body)) }
}

/// A complete request to the Git LFS API.
///
/// - Parameter credentials: a header line; nil omits it.
func lfsRequest(
    _ body: String, at path: String = "/lfs/acme/app/objects/batch", method: String = "POST",
    type: String = "application/vnd.git-lfs+json; charset=utf-8", credentials: String?
) -> String {
    let lines = [
        "\(method) \(path) HTTP/1.1", "Host: presign.test", "Accept: application/vnd.git-lfs+json",
        "Content-Type: \(type)", "Content-Length: \(body.utf8.count)",
    ]
    return (lines + [credentials].compactMap { $0 }).joined(separator: "\r\n") + "\r\n\r\n" + body
}

/// A header line with a key or a token as the password.
func basic(_ password: String, user: String = "git") -> String {
    "Authorization: Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
}
