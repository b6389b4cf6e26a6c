import HTTPClient
import System

/// An endpoint that gives credentials, and how it may be reached.
struct CredentialEndpoint: Sendable {
    /// For people.
    let source: String
    /// Where it is.
    let url: FetchURL
    /// For each exchange, in all.
    let timeout: Duration
    /// Which addresses its host may have; all of them must pass.
    var allows: @Sendable (PeerAddress) -> Bool = { _ in true }
    /// The same in words.
    var rule = ContainerHosts.rule
    /// A PEM file of the authorities that may vouch for it, over TLS; nil means the system's.
    var authorities: String?
    /// Whether it is no fault when nobody is there.
    var mayBeAbsent = false

    /// The content of an answer with status 200.
    func content(of request: FetchRequest) throws(CredentialFailure) -> [UInt8] {
        let response = try response(to: request)
        guard response.status == 200 else { throw failure("it answered \(response.status)") }
        return response.body
    }

    /// The answer, whatever its status. The host is resolved once, and the connection goes to an address that was checked.
    func response(to request: FetchRequest) throws(CredentialFailure) -> FetchResponse {
        let deadline = Deadline(after: timeout)
        let addresses: [PeerAddress]
        do throws(FetchFailure) {
            addresses = try HostResolver.system.addresses(of: url.host, by: deadline)
        } catch {
            throw failure("\(error)")
        }
        guard addresses.allSatisfy(allows) else {
            throw failure("it has an address that is not allowed; \(rule)")
        }
        do throws(FetchFailure) {
            return try HTTPFetch.response(
                to: request, fromOneOf: addresses, authorities: authorities, by: deadline)
        } catch {
            throw failure("\(error)", isAbsence: mayBeAbsent && error.isAbsence)
        }
    }

    /// A failure that names the endpoint.
    func failure(_ reason: String, isAbsence: Bool = false) -> CredentialFailure {
        CredentialFailure(source: source, reason: "\(url.authority): \(reason)", isAbsence: isAbsence)
    }
}

/// Where plain HTTP may carry what a container's credentials are asked with.
enum ContainerHosts {
    static let rule =
        "plain HTTP goes only to this machine (127.0.0.0/8, ::1) and to the endpoints of ECS and EKS (169.254.170.2,"
        + " 169.254.170.23, fd00:ec2::23)"

    /// Source: AWS SDKs and Tools Reference Guide, "Container credential provider".
    static func allow(_ address: PeerAddress) -> Bool {
        switch address {
        case .ipv4(0xA9FE_AA02), .ipv4(0xA9FE_AA17): true
        case .ipv6(0xFD00_0EC2_0000_0000, 0x23): true
        default: isLoopback(address)
        }
    }

    static func isLoopback(_ address: PeerAddress) -> Bool {
        switch address {
        case .ipv4(let address): address >> 24 == 127
        case .ipv6(let high, let low): high == 0 && low == 1
        case .unix: false
        }
    }
}
