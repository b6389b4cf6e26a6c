import HTTPClient
import Presigning
import System
import Text

/// A role that STS gives for a web identity token, as EKS puts one beside a service account (IRSA).
///
/// Source: AWS SDKs and Tools Reference Guide, "Assume role credential provider"; AWS STS API Reference,
/// "AssumeRoleWithWebIdentity", which needs no signature.
package struct WebIdentityCredentialSource: CredentialSource {
    private static let name = "web identity"
    private let variables: CredentialVariables
    private let timeout: Duration

    /// - Parameter timeout: for the exchange.
    package init(_ variables: CredentialVariables, timeout: Duration = .seconds(5)) {
        self.variables = variables
        self.timeout = timeout
    }

    /// The role and where its token is; nil when there is no token file.
    package func origin() throws(CredentialFailure) -> CredentialResolution? {
        guard let file = variables["AWS_WEB_IDENTITY_TOKEN_FILE"] else { return nil }
        guard let role = variables["AWS_ROLE_ARN"] else {
            throw failure("AWS_WEB_IDENTITY_TOKEN_FILE is set and AWS_ROLE_ARN is not; set both or neither")
        }
        let session = variables["AWS_ROLE_SESSION_NAME"] ?? "presign"
        guard 2...64 ~= session.utf8.count, session.utf8.allSatisfy({ ASCIIName.isNameByte($0) }) else {
            throw failure("AWS_ROLE_SESSION_NAME must be 2 to 64 of A-Z a-z 0-9 _ + = , . @ -")
        }
        let url = try url()
        var endpoint = CredentialEndpoint(source: Self.name, url: url, timeout: timeout)
        endpoint.authorities = variables["AWS_CA_BUNDLE"]
        if !url.isSecure {
            endpoint.allows = ContainerHosts.isLoopback
            endpoint.rule = "plain HTTP goes to this machine only (127.0.0.0/8, ::1)"
        }
        return .fetched(
            WebIdentityCredentials(endpoint: endpoint, role: role, session: session, tokenFile: file))
    }

    private func url() throws(CredentialFailure) -> FetchURL {
        if let text = variables["AWS_ENDPOINT_URL_STS"] {
            guard let url = FetchURL(text) else {
                throw failure("AWS_ENDPOINT_URL_STS is no URL such as https://sts.eu-west-1.amazonaws.com")
            }
            return url
        }
        guard let region = variables["AWS_REGION"] ?? variables["AWS_DEFAULT_REGION"] else {
            throw failure("set AWS_REGION, the region whose STS is asked")
        }
        guard let host = S3Endpoint.regionalHost(of: "sts", in: region), let url = FetchURL("https://\(host)") else {
            throw failure("AWS_REGION is no region's name")
        }
        return url
    }

    private func failure(_ reason: String) -> CredentialFailure {
        CredentialFailure(source: Self.name, reason: reason)
    }
}

/// One exchange with STS.
struct WebIdentityCredentials: CredentialFetcher {
    let endpoint: CredentialEndpoint
    let role: String
    let session: String
    /// Read for each fetch: it is replaced before its token expires.
    let tokenFile: String

    func fetch() throws(CredentialFailure) -> Credentials {
        var request = FetchRequest(.post, endpoint.url)
        _ = request.add("accept", Array("text/xml".utf8))
        _ = request.add("content-type", Array("application/x-www-form-urlencoded".utf8))
        request.body = STSExchange.body(role: role, session: session, token: try token())
        let response = try endpoint.response(to: request)
        do {
            return try STSExchange.credentials(in: response.body, status: response.status, from: endpoint.source)
        } catch {
            throw endpoint.failure(error.reason)
        }
    }

    private func token() throws(CredentialFailure) -> [UInt8] {
        var content: [UInt8]
        do {
            content = try ReadableFile.contents(of: tokenFile, limit: 20_000)
        } catch {
            throw endpoint.failure("the token: \(error)")
        }
        // Not part of a token; an editor's line end is.
        while let last = content.last, last == 0x0A || last == 0x0D || last == 0x20 { content.removeLast() }
        guard !content.isEmpty, content.allSatisfy(ASCII.isVisible) else {
            throw endpoint.failure("the token: \(tokenFile) holds none")
        }
        return content
    }
}
