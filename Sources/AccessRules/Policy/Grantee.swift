package import Requests

/// The callers that a grant applies to.
package enum Grantee: Hashable, Sendable {
    /// Every caller, guests included.
    case everyone
    /// Callers without credentials, and anonymous users. Signed-in callers are not guests (as in Amplify).
    case guest
    /// Every caller who is not a guest.
    case authenticated
    /// A caller whose own values equal the captures of all placeholders.
    case owner
    /// A caller whose own value equals the capture of this placeholder.
    case placeholder(Placeholder)
    /// A caller in this group.
    case group([UInt8])
    /// The holder of the API key with this id.
    case apiKey([UInt8])
    /// The holder of a client certificate with this name.
    case certificate([UInt8])

    /// The grantee for a name in the configuration; nil for an unknown name.
    package init?(name: String) {
        switch name {
        case "everyone": self = .everyone
        case "guest": self = .guest
        case "authenticated": self = .authenticated
        case "owner": self = .owner
        default:
            let bytes = Array(name.utf8)
            if let placeholder = Placeholder(bytes) {
                self = .placeholder(placeholder)
            } else if bytes.starts(with: "group:".utf8), bytes.count > 6 {
                self = .group(Array(bytes.dropFirst(6)))
            } else if bytes.starts(with: "caller:".utf8), bytes.count > 7 {
                self = .apiKey(Array(bytes.dropFirst(7)))
            } else if bytes.starts(with: "certificate:".utf8), bytes.count > 12 {
                self = .certificate(Array(bytes.dropFirst(12)))
            } else {
                return nil
            }
        }
    }

    /// Whether the grant applies to the caller.
    ///
    /// - Parameters:
    ///   - caller: The caller.
    ///   - template: The template of the rule.
    ///   - key: A key that the template matches.
    package func includes(_ caller: Caller, template: PathTemplate, key: [UInt8]) -> Bool {
        switch self {
        case .everyone: true
        case .guest: caller.isGuest
        case .authenticated: !caller.isGuest
        case .owner: !caller.isGuest && template.captures(nil, of: caller, in: key)
        case .placeholder(let placeholder): !caller.isGuest && template.captures(placeholder, of: caller, in: key)
        case .group(let name): !caller.isGuest && caller.isMember(of: name.span)
        case .apiKey(let id): !caller.isGuest && caller.apiKeyID == id
        case .certificate(let name): caller.scheme == .mutualTLS && caller.identity == name
        }
    }
}
