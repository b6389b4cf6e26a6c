import HTTP1

/// What a request has to do with a share link. The rules decide when a link is created, and again at every use.
package enum ShareRequest: Sendable, Equatable {
    /// It creates a link with this lifetime in seconds; nil for the usual one.
    case creation(lifetime: Int64?)
    /// It uses a link: the seconds since its creation, and until its end.
    case use(age: Int64, remaining: Int64)

    /// The lifetimes that a rule can allow, in seconds: up to 10 years.
    package static let possibleLifetimes = 1...315_360_000
    /// The lifetime in seconds of a link whose creation names none; the maximum of the rule can be shorter.
    package static let usualLifetime: Int64 = 604_800
    /// The maximum lifetime in seconds of the URL to which a use redirects.
    private static let longestURL: Int64 = 300

    /// What the maximum of the rule limits, in seconds: the lifetime of a new link, the age of another. So a rule with
    /// a shorter maximum ends links that exist.
    var limited: Int64 {
        switch self {
        case .creation(let lifetime): lifetime ?? 1
        case .use(let age, _): age
        }
    }

    /// The maximum lifetime in seconds of the URL to which a use redirects; nil for a creation.
    var longestURL: Int64? {
        switch self {
        case .creation: nil
        case .use(_, let remaining): min(Self.longestURL, remaining)
        }
    }
}

extension AccessRequest {
    /// Whether the request creates a share link. It then declares what the link accepts instead of an upload.
    var createsShare: Bool { if case .creation? = share { true } else { false } }

    /// Whether the range of types has the declared content type. A new share link can declare a range, such as
    /// `image/*`.
    func contentType(isIn range: MediaRange) -> Bool {
        if createsShare, let declared = MediaRange(contentType ?? "") { return range.contains(declared) }
        return range.contains(contentType ?? "")
    }
}
