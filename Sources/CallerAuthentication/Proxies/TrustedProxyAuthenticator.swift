package import AccessRules
import Cryptography
package import System
import Text

/// Reads the headers of a trusted proxy: one that connects from a configured address and, where a secret is configured,
/// sends it.
///
/// Whoever else sends one of these headers is refused, never merely not believed: the header may have passed a proxy that
/// should have removed it, or be meant for a gateway that reads `X_Auth_User` as `X-Auth-User`.
///
/// A class, so that a request which has nothing to do with it finds that out without copying it.
package final class TrustedProxyAuthenticator: Sendable {
    private let peers: TrustedProxyNetworks
    /// Nil: the proxy's address is enough.
    private let secret: SecretBytes?
    package let names: ProxyHeaderNames

    /// What a trusted proxy says.
    package struct Origin: Sendable {
        /// Where the request comes from; nil: from the peer, as far as is known.
        package let client: PeerAddress?
        /// Who calls; nil: the proxy does not say.
        package let caller: Caller?
    }

    /// Why a request with such headers is refused; for the log.
    package struct Refusal: Error {
        package let reason: StaticString
        /// True when somebody tried a secret.
        package var isFailedAuthentication = false
    }

    /// Reads the secret.
    ///
    /// - Parameter read: gives the content of a file.
    /// - Throws: when the file cannot be read or holds no secret.
    package init(
        _ configuration: ProxyConfiguration, read: (String) throws -> [UInt8]
    ) throws(ProxySecretFailure) {
        peers = configuration.peers
        names = ProxyHeaderNames(configuration)
        secret = try configuration.secretFile.map { file throws(ProxySecretFailure) in
            try ProxySecretFailure.secret(in: file, read: read)
        }
    }

    /// What is to be believed of headers that `ProxyHeaders` found.
    package func origin(of headers: ProxyHeaders, from peer: PeerAddress) throws(Refusal) -> Origin {
        guard peers.contains(peer) else { throw Refusal(reason: "proxy headers from a peer that is no proxy") }
        if let secret {
            guard let shown = headers.secret else { throw Refusal(reason: "proxy headers without the proxy's secret") }
            guard secret.withBytes({ constantTimeEqual($0, shown.span) }) else {
                throw Refusal(reason: "a wrong proxy secret", isFailedAuthentication: true)
            }
        }
        return Origin(client: try client(headers), caller: try caller(headers))
    }

    /// The last address that the proxies did not write about themselves: what stands before it is the client's say, and
    /// not looked at.
    private func client(_ headers: ProxyHeaders) throws(Refusal) -> PeerAddress? {
        guard names.clientAddress != nil else { return nil }
        guard let list = headers.clientAddress else { throw Refusal(reason: "no client address from the proxy") }
        var client: PeerAddress?
        for element in list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).reversed() {
            guard let hop = PeerAddress(hop: element) else {
                throw Refusal(reason: "a malformed list of client addresses")
            }
            client = hop
            if !peers.contains(hop) { break }
        }
        return client
    }

    private func caller(_ headers: ProxyHeaders) throws(Refusal) -> Caller? {
        guard let identity = headers.identity else {
            guard headers.groups == nil else { throw Refusal(reason: "groups without an identity from the proxy") }
            return nil
        }
        guard Self.isName(identity), Caller.isSafeIdentity(Array(identity)) else {
            throw Refusal(reason: "an identity from the proxy that is no safe segment")
        }
        var groups: [[UInt8]] = []
        for element in headers.groups?.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) ?? [] {
            let group = Self.element(element)
            guard Self.isName(group) else { throw Refusal(reason: "malformed groups from the proxy") }
            groups.append(Array(group))
        }
        return Caller(proxied: Array(identity), groups: groups)
    }

    /// Lists are written with a comma, or a comma and one space; any other blank belongs to its element, and no element
    /// may have one.
    private static func element(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        text.first == UInt8(ascii: " ") ? text.dropFirst() : text
    }

    /// 1 to 256 bytes of UTF-8 without blanks, controls and commas, which stand where a gateway joined two headers.
    private static func isName(_ text: ArraySlice<UInt8>) -> Bool {
        1...256 ~= text.count && (try? UTF8Span(validating: text.span)) != nil
            && !text.contains { ASCII.isControl($0) || $0 == ASCII.space || $0 == ASCII.comma }
    }
}

extension PeerAddress {
    /// Reads an element of `X-Forwarded-For` as proxies write it: an address, alone or with a port, behind which IPv6 has
    /// brackets; blanks around it belong to the list (RFC 9110, section 5.6.1).
    fileprivate init?(hop: ArraySlice<UInt8>) {
        let text = hop.trimming(ASCII.isBlank)
        if let address = IPAddress(text.span) {
            self.init(address)
        } else if let authority = try? Authority(text.span), case .address(let address) = authority.host {
            self.init(address)
        } else {
            return nil
        }
    }
}
