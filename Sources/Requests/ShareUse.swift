import Presigning

/// Whether a request creates or uses a share link. The rules decide when a link is created, and again at every use.
package enum ShareUse: Sendable, Equatable {
    /// It creates a link with these terms.
    indirect case creation(ShareTerms)
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
    package var limited: Int64 {
        switch self {
        case .creation(let terms): terms.lifetime ?? 1
        case .use(let age, _): age
        }
    }

    /// The maximum lifetime in seconds of the URL to which a use redirects; nil for a creation.
    package var longestURL: Int64? {
        switch self {
        case .creation: nil
        case .use(_, let remaining): min(Self.longestURL, remaining)
        }
    }
}

/// What a new share link is to allow.
package struct ShareTerms: Sendable, Equatable {
    /// The link's lifetime in seconds; nil for the usual one.
    package var lifetime: Int64?
    /// The types that an upload may have; nil if the link does not limit them.
    package var types: MediaRange?
    /// The maximum size of an upload in bytes; nil if the link does not limit it.
    package var maximumSize: Int64?

    package init(lifetime: Int64? = nil, types: MediaRange? = nil, maximumSize: Int64? = nil) {
        (self.lifetime, self.types, self.maximumSize) = (lifetime, types, maximumSize)
    }
}

extension PresignRequest {
    /// The fields of a share link, and those that `checkForm` refuses.
    private static let shareable: Set<PresignFieldName> = [
        .plain(.path), .plain(.key), .plain(.store), .plain(.method), .plain(.share), .plain(.expiresIn),
        .plain(.contentType), .plain(.contentLength), .plain(.ifNoneMatch), .plain(.form), .plain(.successStatus),
        .plain(.successRedirect),
    ]

    /// Checks the fields of a share link. It has no field that a redirect cannot honor.
    func checkShare(_ failures: inout [FieldFailure]) {
        guard [.getObject, .putObject, .postObject].contains(operation) else {
            failures.append(FieldFailure("share", "is allowed only with GET and PUT of an object"))
            return
        }
        let names = sent.names.filter { !Self.shareable.contains($0) }.map(\.rawValue) + (isForm ? ["form"] : [])
        failures += names.map { FieldFailure($0, "is not allowed with share; omit it") }
        if operation == .putObject, let contentType, MediaRange(contentType) == nil {
            failures.append(
                FieldFailure(
                    "contentType", "must be a type such as image/png, or a range such as image/*, without parameters"))
        }
        let possible = ShareUse.possibleLifetimes
        if let expiresIn, !possible.contains(Int(expiresIn)) {
            failures.append(FieldFailure("expiresIn", "must be 1 to \(possible.upperBound) seconds (10 years)"))
        }
    }

    /// Makes the checked fields the terms of the link: they say nothing about a URL.
    mutating func takeShareTerms() {
        let types = operation == .putObject ? contentType.flatMap { MediaRange($0) } : nil
        share = .creation(ShareTerms(lifetime: expiresIn, types: types, maximumSize: contentLength))
        (expiresIn, contentType, contentLength) = (nil, nil, nil)
    }
}
