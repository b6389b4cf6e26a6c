import DataFormats
import HTTPClient
import Presigning
import Text

/// The role of an EC2 instance, by version 2 of its metadata service (IMDS); version 1 is never asked.
///
/// Source: Amazon EC2 User Guide, "Use the Instance Metadata Service"; AWS SDKs and Tools Reference Guide, "IMDS
/// credential provider".
package struct InstanceCredentialSource: CredentialSource {
    private static let name = "imds"
    private let variables: CredentialVariables
    private let endsChain: Bool
    private let timeout: Duration

    /// - Parameters:
    ///   - endsChain: nobody there, or no role, then means that there are no credentials, and is no fault.
    ///   - timeout: for each of the three exchanges.
    package init(_ variables: CredentialVariables, endsChain: Bool = false, timeout: Duration = .seconds(1)) {
        self.variables = variables
        self.endsChain = endsChain
        self.timeout = timeout
    }

    /// The service; nil when `AWS_EC2_METADATA_DISABLED` is `true`.
    package func origin() throws(CredentialFailure) -> CredentialResolution? {
        guard !variables.isTrue("AWS_EC2_METADATA_DISABLED") else { return nil }
        var endpoint = CredentialEndpoint(source: Self.name, url: try url(), timeout: timeout)
        endpoint.mayBeAbsent = endsChain
        return .fetched(InstanceCredentials(endpoint: endpoint))
    }

    private func url() throws(CredentialFailure) -> FetchURL {
        if let text = variables["AWS_EC2_METADATA_SERVICE_ENDPOINT"] {
            guard let url = FetchURL(text), !url.isSecure, !url.target.utf8.contains(UInt8(ascii: "?")) else {
                throw failure("AWS_EC2_METADATA_SERVICE_ENDPOINT is no URL such as http://169.254.169.254")
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

    private func failure(_ reason: String) -> CredentialFailure {
        CredentialFailure(source: Self.name, reason: reason)
    }
}

/// Token, role, credentials: three exchanges.
struct InstanceCredentials: CredentialFetcher {
    /// In seconds; the longest there is.
    private static let tokenLife = Array("21600".utf8)
    private static let credentials = "/latest/meta-data/iam/security-credentials/"

    let endpoint: CredentialEndpoint

    /// At the end of the chain a failure also says what else could have been set: whoever runs elsewhere than on EC2 has no
    /// use for this service.
    func fetch() throws(CredentialFailure) -> Credentials {
        do {
            return try asked()
        } catch {
            guard endpoint.mayBeAbsent, !error.isAbsence else { throw error }
            throw CredentialFailure(
                source: error.source,
                reason: error.reason + "; nothing else is configured: on other machines than EC2 "
                    + CredentialSelection.environment.mend)
        }
    }

    private func asked() throws(CredentialFailure) -> Credentials {
        let token = try token()
        let role = try role(token)
        let response = try get(Self.credentials + role, token)
        guard response.status == 200 else { throw endpoint.failure("it answered \(response.status) for its role") }
        let document = try CredentialDocument(response.body, from: endpoint.source)
        guard document["Code"]?.string.map({ $0.elementsEqual("Success".utf8) }) ?? false else {
            throw endpoint.failure("the answer's Code is not Success: look at the instance's role")
        }
        return try document.credentials(tokenMember: "Token", mayLast: false)
    }

    private func token() throws(CredentialFailure) -> [UInt8] {
        var request = FetchRequest(.put, url("/latest/api/token"))
        _ = request.add("x-aws-ec2-metadata-token-ttl-seconds", Self.tokenLife)
        let response = try endpoint.response(to: request)
        guard response.status == 200 else {
            throw endpoint.failure(
                "it answered \(response.status) when asked for a token; version 2 must be on, and version 1 is not asked"
            )
        }
        guard !response.body.isEmpty, response.body.allSatisfy(ASCII.isVisible) else {
            throw endpoint.failure("the token it gave is none")
        }
        return response.body
    }

    /// The first of the names; an instance has one role at most.
    private func role(_ token: [UInt8]) throws(CredentialFailure) -> String {
        let response = try get(Self.credentials, token)
        if response.status == 404 {
            throw endpoint.failure("the instance has no role", isAbsence: endpoint.mayBeAbsent)
        }
        guard response.status == 200 else {
            throw endpoint.failure("it answered \(response.status) when asked for the role")
        }
        let line = response.body.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first ?? []
        // IAM's rule for the names of roles.
        guard 1...64 ~= line.count, line.allSatisfy({ ASCIIName.isNameByte($0) }), line != [0x2E], line != [0x2E, 0x2E]
        else {
            throw endpoint.failure("the role it named is none")
        }
        return String(decoding: line, as: UTF8.self)
    }

    private func get(_ path: String, _ token: [UInt8]) throws(CredentialFailure) -> FetchResponse {
        var request = FetchRequest(.get, url(path))
        _ = request.add("x-aws-ec2-metadata-token", token)
        return try endpoint.response(to: request)
    }

    /// The path under that of the endpoint.
    private func url(_ path: String) -> FetchURL {
        let base = endpoint.url.target
        return endpoint.url.with(target: (base.hasSuffix("/") ? String(base.dropLast()) : base) + path)
    }
}

/// `[A-Za-z0-9_+=,.@-]`, of which IAM makes names.
enum ASCIIName {
    static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "_+=,.@-".utf8.contains(byte)
    }
}
