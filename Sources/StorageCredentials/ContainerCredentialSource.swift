import HTTPClient
import Presigning
import System
import Text

/// The credential endpoint that ECS or EKS Pod Identity provides to a container.
///
/// Source: AWS SDKs and Tools Reference Guide, "Container credential provider".
package struct ContainerCredentialSource: NamedCredentialSource {
    static let name = "container"
    private let variables: CredentialVariables
    private let timeout: Duration

    /// - Parameter timeout: the time limit for the request.
    package init(_ variables: CredentialVariables, timeout: Duration = .seconds(2)) {
        self.variables = variables
        self.timeout = timeout
    }

    /// Returns the endpoint, or nil if neither variable is set.
    package func resolve() throws(CredentialFailure) -> CredentialResolution? {
        guard let url = try url() else { return nil }
        if !url.isSecure, case .address(let address) = url.host, !ContainerHosts.allow(address) {
            throw failure("AWS_CONTAINER_CREDENTIALS_FULL_URI names \(url.authority); \(ContainerHosts.rule)")
        }
        var endpoint = CredentialEndpoint(source: Self.name, url: url, timeout: timeout)
        endpoint.authorities = variables["AWS_CA_BUNDLE"]
        if !url.isSecure { endpoint.allows = ContainerHosts.allow }
        return .fetched(
            ContainerCredentials(
                endpoint: endpoint, tokenFile: variables["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"],
                token: variables["AWS_CONTAINER_AUTHORIZATION_TOKEN"]))
    }

    private func url() throws(CredentialFailure) -> FetchURL? {
        if let path = variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] {
            // Without the slash, the path would become part of the host.
            guard path.utf8.first == UInt8(ascii: "/"), let url = FetchURL("http://169.254.170.2" + path) else {
                throw failure("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI must be a path that begins with /")
            }
            return url
        }
        guard let text = variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] else { return nil }
        guard let url = FetchURL(text) else {
            throw failure(
                "AWS_CONTAINER_CREDENTIALS_FULL_URI must be a URL such as http://169.254.170.23/v1/credentials")
        }
        return url
    }
}

/// Fetches credentials from the container endpoint.
struct ContainerCredentials: CredentialFetcher {
    let endpoint: CredentialEndpoint
    /// The file of the authorization token, which takes precedence over `token`. Tokens are short-lived, so every fetch
    /// reads the file.
    let tokenFile: String?
    let token: String?

    func fetch() throws(CredentialFailure) -> Credentials {
        var request = FetchRequest(.get, endpoint.url)
        _ = request.add("accept", Array("application/json".utf8))
        if let token = try authorization() {
            guard token.allSatisfy(ASCII.isPrintable), request.add("authorization", token) else {
                throw endpoint.failure(
                    "the authorization token contains a line break or other bytes that are invalid in a header")
            }
        }
        let response = try endpoint.response(to: request)
        guard response.status == 200 else { throw endpoint.failure("it responded with status \(response.status)") }
        let document = try CredentialDocument(response.body, from: endpoint.source)
        return try document.credentials(tokenField: "Token", allowsLongTerm: false)
    }

    /// Returns the value of the `Authorization` header: the token as is, without a scheme.
    private func authorization() throws(CredentialFailure) -> [UInt8]? {
        guard let tokenFile else { return token.map { Array($0.utf8) } }
        let content: [UInt8]
        do {
            content = try ReadableFile.contents(of: tokenFile, limit: 16 * 1024)
        } catch {
            throw endpoint.failure("cannot read the authorization token: \(error)")
        }
        guard !content.isEmpty else { throw endpoint.failure("the authorization token file \(tokenFile) is empty") }
        return content
    }
}
