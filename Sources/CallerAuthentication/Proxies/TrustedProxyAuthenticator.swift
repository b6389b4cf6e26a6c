import Cryptography
package import Requests
package import System
import Text

/// Reads the headers of a trusted proxy: one that connects from a configured address and sends the secret, if one is
/// configured.
///
/// A request with these headers from any other peer is refused instead of ignoring them: a proxy may have failed to
/// remove the header, or a gateway may read `X_Auth_User` as `X-Auth-User`.
package final class TrustedProxyAuthenticator: Sendable {
    private let configuration: ProxyConfiguration
    /// The secret that the proxy sends; nil if its address is sufficient.
    private let secret: SecretBytes?
    package let names: ProxyHeaderNames

    /// The client and caller that a trusted proxy reports.
    package struct Origin: Sendable {
        /// The client's address; nil if the proxy does not send it, so that the peer's address counts.
        package let client: PeerAddress?
        /// The caller; nil if the proxy does not send an identity.
        package let caller: Caller?
    }

    /// The reason why a request with proxy headers is refused, for the log.
    package struct Refusal: Error {
        package let reason: StaticString
        /// Whether the request had a wrong secret, which counts as a failed authentication.
        package var isFailedAuthentication = false
    }

    /// Loads the secret.
    ///
    /// - Parameters:
    ///   - configuration: The section `auth.proxy`.
    ///   - read: Returns the content of a file.
    /// - Throws: If the file cannot be read or does not contain a valid secret.
    package init(_ configuration: ProxyConfiguration, read: (String) throws -> [UInt8]) throws(KeyFailure) {
        self.configuration = configuration
        names = ProxyHeaderNames(configuration)
        secret = try configuration.secretFile.map { file throws(KeyFailure) in try Self.secret(in: file, read: read) }
    }

    /// Authenticates the proxy and returns the client and caller that its headers report.
    package func origin(of headers: ProxyHeaders, from peer: PeerAddress) throws(Refusal) -> Origin {
        guard configuration.peers.contains(peer) else {
            throw Refusal(reason: "proxy headers from a peer that is not in auth.proxy.from")
        }
        if let secret {
            guard let received = headers.secret else {
                throw Refusal(reason: "proxy headers without the proxy's secret")
            }
            guard secret.withBytes({ constantTimeEqual($0, received.span) }) else {
                throw Refusal(reason: "wrong proxy secret", isFailedAuthentication: true)
            }
        }
        return Origin(client: try client(headers), caller: try caller(headers))
    }

    /// The last address in the list that is not a trusted proxy's. The client can forge the addresses before it, so
    /// they are ignored.
    private func client(_ headers: ProxyHeaders) throws(Refusal) -> PeerAddress? {
        guard names.clientAddress != nil else { return nil }
        guard let list = headers.clientAddress else { throw Refusal(reason: "proxy: the client address is missing") }
        var client: PeerAddress?
        for element in list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).reversed() {
            guard let hop = PeerAddress(hop: element) else {
                throw Refusal(reason: "proxy: malformed list of client addresses")
            }
            client = hop
            if !configuration.peers.contains(hop) { break }
        }
        return client
    }

    private func caller(_ headers: ProxyHeaders) throws(Refusal) -> Caller? {
        guard let identity = headers.identity else {
            guard headers.groups == nil else { throw Refusal(reason: "proxy: groups without an identity") }
            return nil
        }
        guard Self.isName(identity), Caller.isSafeIdentity(Array(identity)) else {
            throw Refusal(reason: "proxy: the identity is not a valid path segment")
        }
        let groups = try groups(headers)
        let ignored = groups.count > GroupSeparator.maximumGroups ? ["`groups` \(UnusableClaim.several.rawValue)"] : []
        return Caller(
            proxied: Array(identity), groups: Array(groups.prefix(GroupSeparator.maximumGroups)), ignored: ignored)
    }

    private func groups(_ headers: ProxyHeaders) throws(Refusal) -> [[UInt8]] {
        var groups: [[UInt8]] = []
        for element in headers.groups?.split(separator: configuration.separator) ?? [] {
            // One space may follow a separator. Any other blank makes the element invalid.
            let group = element.first == ASCII.space ? element.dropFirst() : element
            if group.isEmpty { continue }
            guard Self.isName(group) else { throw Refusal(reason: "proxy: malformed groups") }
            groups.append(Array(group))
        }
        return groups
    }

    /// Whether the text is 1 to 256 bytes of UTF-8 without blanks, control characters and commas. A comma shows that a
    /// gateway joined two headers.
    private static func isName(_ text: ArraySlice<UInt8>) -> Bool {
        1...256 ~= text.count && (try? UTF8Span(validating: text.span)) != nil
            && !text.contains { ASCII.isControl($0) || $0 == ASCII.space || $0 == ASCII.comma }
    }
}

extension PeerAddress {
    /// Parses an element of `X-Forwarded-For`: an address with an optional port. An IPv6 address with a port is in
    /// brackets. Surrounding blanks belong to the list (RFC 9110 section 5.6.1).
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

extension TrustedProxyAuthenticator {
    /// Reads the secret in a file, without one line break at its end.
    static func secret(in file: String, read: (String) throws -> [UInt8]) throws(KeyFailure) -> SecretBytes {
        func failure(_ reason: String) -> KeyFailure {
            KeyFailure(setting: "auth.proxy.secretFile", file: file, reason: reason)
        }
        let bytes: [UInt8]
        do { bytes = IssuerKeys.withoutLineEnd(try read(file)) } catch { throw failure(ReadableFile.reason(of: error)) }
        // Proxies forward visible ASCII in headers unchanged.
        guard 16...1024 ~= bytes.count, bytes.allSatisfy(ASCII.isVisible) else {
            throw failure(
                "must contain one line of 16 to 1024 visible ASCII characters; generate it with `openssl rand -hex 32`")
        }
        return SecretBytes(bytes)
    }
}
