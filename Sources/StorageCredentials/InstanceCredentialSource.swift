import DataFormats
import HTTPClient
import Presigning
import Text

/// The role of an EC2 instance, read from version 2 of the instance metadata service (IMDSv2). IMDSv1 is not supported.
///
/// Source: Amazon EC2 User Guide, "Use the Instance Metadata Service"; AWS SDKs and Tools Reference Guide, "IMDS
/// credential provider".
package struct InstanceCredentialSource: NamedCredentialSource {
    static let name = "imds"
    private let variables: CredentialVariables
    private let endsChain: Bool
    private let timeout: Duration

    /// - Parameters:
    ///   - endsChain: whether the source is the last of a chain. An unreachable service or a missing role then means
    ///     that there are no credentials, which is not a failure.
    ///   - timeout: the time limit for each of the three requests.
    package init(_ variables: CredentialVariables, endsChain: Bool = false, timeout: Duration = .seconds(1)) {
        self.variables = variables
        self.endsChain = endsChain
        self.timeout = timeout
    }

    /// Returns the service, or nil if `AWS_EC2_METADATA_DISABLED` is `true`.
    package func resolve() throws(CredentialFailure) -> CredentialResolution? {
        guard variables["AWS_EC2_METADATA_DISABLED"]?.lowercased() != "true" else { return nil }
        var endpoint = CredentialEndpoint(source: Self.name, url: try url(), timeout: timeout)
        endpoint.mayBeAbsent = endsChain
        return .fetched(InstanceCredentials(endpoint: endpoint))
    }

    private func url() throws(CredentialFailure) -> FetchURL {
        if let text = variables["AWS_EC2_METADATA_SERVICE_ENDPOINT"] {
            guard let url = FetchURL(text), !url.isSecure, !url.target.utf8.contains(UInt8(ascii: "?")) else {
                throw failure("AWS_EC2_METADATA_SERVICE_ENDPOINT must be a URL such as http://169.254.169.254")
            }
            return url
        }
        let mode = variables["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"]?.lowercased() ?? "ipv4"
        let hosts = ["ipv4": "http://169.254.169.254", "ipv6": "http://[fd00:ec2::254]"]
        guard let url = hosts[mode].flatMap({ FetchURL($0) }) else {
            throw failure("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE must be IPv4 or IPv6")
        }
        return url
    }
}

/// Fetches credentials from the instance metadata service in three requests: token, role, credentials.
struct InstanceCredentials: CredentialFetcher {
    /// The lifetime of the IMDSv2 token in seconds, the maximum.
    private static let tokenLifetime = Array("21600".utf8)
    private static let credentials = "/latest/meta-data/iam/security-credentials/"

    let endpoint: CredentialEndpoint

    /// At the end of the chain, a failure also suggests another source, because presign may not run on EC2.
    func fetch() throws(CredentialFailure) -> Credentials {
        do {
            return try fetchFromService()
        } catch {
            guard endpoint.mayBeAbsent, !error.isAbsence else { throw error }
            throw CredentialFailure(
                source: error.source,
                reason: error.reason + "; no other source is configured: outside EC2, "
                    + CredentialSelection.environment.hint)
        }
    }

    private func fetchFromService() throws(CredentialFailure) -> Credentials {
        let token = try token()
        let role = try role(token)
        let response = try get(Self.credentials + role, token)
        guard response.status == 200 else {
            throw endpoint.failure("it responded to the request for credentials with status \(response.status)")
        }
        let document = try CredentialDocument(response.body, from: endpoint.source)
        guard document["Code"]?.string.map({ $0.elementsEqual("Success".utf8) }) ?? false else {
            throw endpoint.failure("Code in the credential document is not Success; check the instance's role")
        }
        return try document.credentials(tokenField: "Token", allowsLongTerm: false)
    }

    private func token() throws(CredentialFailure) -> [UInt8] {
        var request = FetchRequest(.put, url("/latest/api/token"))
        _ = request.add("x-aws-ec2-metadata-token-ttl-seconds", Self.tokenLifetime)
        let response = try endpoint.response(to: request)
        guard response.status == 200 else {
            throw endpoint.failure(
                "it responded to the request for a token with status \(response.status); enable IMDSv2")
        }
        guard !response.body.isEmpty, response.body.allSatisfy(ASCII.isVisible) else {
            throw endpoint.failure("it returned an invalid token")
        }
        return response.body
    }

    /// Returns the first role name. An instance has at most one role.
    private func role(_ token: [UInt8]) throws(CredentialFailure) -> String {
        let response = try get(Self.credentials, token)
        if response.status == 404 {
            throw endpoint.failure("the instance has no role", isAbsence: endpoint.mayBeAbsent)
        }
        guard response.status == 200 else {
            throw endpoint.failure("it responded to the request for the role with status \(response.status)")
        }
        let line = response.body.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first ?? []
        // IAM's rules for role names.
        guard 1...64 ~= line.count, line.allSatisfy({ ASCIIName.isNameByte($0) }), line != [0x2E], line != [0x2E, 0x2E]
        else {
            throw endpoint.failure("it returned an invalid role name")
        }
        return String(decoding: line, as: UTF8.self)
    }

    private func get(_ path: String, _ token: [UInt8]) throws(CredentialFailure) -> FetchResponse {
        var request = FetchRequest(.get, url(path))
        _ = request.add("x-aws-ec2-metadata-token", token)
        return try endpoint.response(to: request)
    }

    /// Returns the URL of a path below the endpoint's path.
    private func url(_ path: String) -> FetchURL {
        let base = endpoint.url.target
        return endpoint.url.with(target: (base.hasSuffix("/") ? String(base.dropLast()) : base) + path)
    }
}

/// The characters of IAM names: `[A-Za-z0-9_+=,.@-]`.
enum ASCIIName {
    static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "_+=,.@-".utf8.contains(byte)
    }
}
