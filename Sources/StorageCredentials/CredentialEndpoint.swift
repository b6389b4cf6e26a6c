import HTTPClient
import System

/// An HTTP endpoint that returns credentials, with the rules for connections to it.
struct CredentialEndpoint: Sendable {
    /// The name of the source for messages.
    let source: String
    /// The URL of the endpoint.
    let url: FetchURL
    /// The time limit for each request, including name resolution.
    let timeout: Duration
    /// Returns whether an address is allowed. All addresses of the host must be allowed.
    var allows: @Sendable (PeerAddress) -> Bool = { _ in true }
    /// A description of the allowed addresses for messages.
    var rule = ContainerHosts.rule
    /// A PEM file of trusted certificate authorities. Nil trusts the system's.
    var authorities: String?
    /// Whether an unreachable endpoint is reported as absence instead of failure.
    var mayBeAbsent = false
    /// Sends a request to one of the addresses, by the deadline; tests replace it.
    var exchange: Exchange = {
        (request, addresses, authorities, deadline) throws(FetchFailure) in
        try HTTPFetch.response(to: request, fromOneOf: addresses, authorities: authorities, by: deadline)
    }

    /// See `HTTPFetch.response`.
    typealias Exchange =
        @Sendable (
            _ request: FetchRequest, _ addresses: [PeerAddress], _ authorities: String?, _ deadline: MonotonicTime
        ) throws(FetchFailure) -> FetchResponse

    /// Returns the response, whatever its status.
    ///
    /// The host is resolved once, so the connection uses an address that was checked.
    func response(to request: FetchRequest) throws(CredentialFailure) -> FetchResponse {
        let deadline = MonotonicTime.after(timeout)
        let addresses: [PeerAddress]
        do throws(FetchFailure) {
            addresses = try HostResolver.system.addresses(of: url.host, by: deadline)
        } catch {
            throw failure("\(error)")
        }
        guard addresses.allSatisfy(allows) else {
            throw failure("its address is not allowed; \(rule)")
        }
        do throws(FetchFailure) {
            return try exchange(request, addresses, authorities, deadline)
        } catch {
            throw failure("\(error)", isAbsence: mayBeAbsent && error.isAbsence)
        }
    }

    /// Returns a failure that names the endpoint.
    func failure(_ reason: String, isAbsence: Bool = false) -> CredentialFailure {
        CredentialFailure(source: source, reason: "\(url.authority): \(reason)", isAbsence: isAbsence)
    }
}

/// The hosts from which container credentials may be requested over plain HTTP.
enum ContainerHosts {
    static let rule =
        "plain HTTP is allowed only for loopback addresses (127.0.0.0/8, ::1) and the endpoints of ECS and EKS"
        + " (169.254.170.2, 169.254.170.23, fd00:ec2::23)"

    /// Returns whether an address is allowed.
    ///
    /// Source: AWS SDKs and Tools Reference Guide, "Container credential provider".
    static func allow(_ address: PeerAddress) -> Bool {
        switch address {
        case .ipv4(0xA9FE_AA02), .ipv4(0xA9FE_AA17): true
        case .ipv6(0xFD00_0EC2_0000_0000, 0x23): true
        default: address.isLoopback
        }
    }
}
