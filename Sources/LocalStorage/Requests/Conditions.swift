import Presigning
import Text

/// The conditions of a GET or HEAD, evaluated in the order of RFC 9110, section 13.2.2.
struct Conditions: Sendable {
    enum Outcome: Sendable, Equatable {
        case proceed
        case notModified
        /// The header whose condition is false.
        case failed(String)
    }

    private let ifMatch: EntityTagList?
    private let ifNoneMatch: EntityTagList?
    private let ifModifiedSince: SigningTime?
    private let ifUnmodifiedSince: SigningTime?

    /// - Parameters:
    ///   - prefix: precedes the names of the headers, as for conditions on the source of a copy.
    ///   - time: the current time, which decides the century of a two-digit year.
    init(_ request: S3Request, prefix: String = "", at time: SigningTime) {
        ifMatch = request.header(prefix + "if-match").map { EntityTagList($0) }
        ifNoneMatch = request.header(prefix + "if-none-match").map { EntityTagList($0) }
        // An invalid date is ignored (RFC 9110, section 13.1.3).
        let date = { (name: String) in request.header(prefix + name).flatMap { SigningTime(httpDate: $0, at: time) } }
        ifModifiedSince = date("if-modified-since")
        ifUnmodifiedSince = date("if-unmodified-since")
    }

    /// Evaluates the conditions for an existing object.
    ///
    /// A condition on the entity tag overrides the one on the date, which S3 documents too.
    func outcome(entityTag: [UInt8], lastModified: SigningTime) -> Outcome {
        if let ifMatch {
            guard ifMatch.matchesStrongly(entityTag) else { return .failed("If-Match") }
        } else if let ifUnmodifiedSince, lastModified > ifUnmodifiedSince {
            return .failed("If-Unmodified-Since")
        }
        if let ifNoneMatch {
            return ifNoneMatch.matchesWeakly(entityTag) ? .notModified : .proceed
        }
        if let ifModifiedSince, lastModified <= ifModifiedSince { return .notModified }
        return .proceed
    }
}

/// The conditions of a write ("How to prevent object overwrites with conditional writes", S3 user guide).
struct WriteConditions: Sendable {
    /// `If-None-Match: *`: the object must not exist.
    let mustBeAbsent: Bool
    /// `If-Match`: the object must exist with one of these tags.
    let mustMatch: EntityTagList?

    static let none = WriteConditions(mustMatch: nil)

    /// - Parameter mustMatch: the value of `If-Match`.
    init(mustMatch: [UInt8]?) {
        mustBeAbsent = false
        self.mustMatch = mustMatch.map { EntityTagList($0) }
    }

    init(_ request: S3Request) throws(S3Error) {
        let ifNoneMatch = request.header("if-none-match")
        guard ifNoneMatch == nil || ifNoneMatch == [UInt8(ascii: "*")] else {
            throw .notImplemented("If-None-Match with anything but * when writing", header: "If-None-Match")
        }
        mustBeAbsent = ifNoneMatch != nil
        mustMatch = request.header("if-match").map { EntityTagList($0) }
    }

    /// Throws if a condition is false.
    ///
    /// - Parameter entityTag: the current object's tag without quotes; nil if the object does not exist.
    func check(_ entityTag: [UInt8]?, key: [UInt8]) throws(S3Error) {
        if mustBeAbsent, entityTag != nil { throw .preconditionFailed("If-None-Match") }
        guard let mustMatch else { return }
        guard let entityTag else { throw .noSuchKey(key) }
        guard mustMatch.matchesStrongly(entityTag) else { throw .preconditionFailed("If-Match") }
    }

    /// Whether there is any condition.
    var isConditional: Bool { mustBeAbsent || mustMatch != nil }
}

extension SigningTime {
    /// Parses the date of an HTTP field; nil if it is invalid. Times before 1970 become 1970-01-01T00:00:00Z.
    ///
    /// - Parameter now: the current time, which decides the century of a two-digit year.
    init?(httpDate text: [UInt8], at now: SigningTime) {
        guard let seconds = HTTPDate.secondsSince1970(of: text, now: now.secondsSince1970) else { return nil }
        self.init(secondsSince1970: seconds)
    }
}

/// The value of `If-Match` or `If-None-Match` (RFC 9110, section 13.1): `*` or a list of entity tags.
struct EntityTagList: Sendable {
    private struct Tag {
        var bytes: ArraySlice<UInt8>
        var isWeak: Bool
    }

    private let isAny: Bool
    private let tags: [Tag]

    /// Parses a list. Like S3, it also accepts tags without quotes.
    init(_ text: [UInt8]) {
        var rest = text.trimmed
        isAny = rest.elementsEqual("*".utf8)
        var tags: [Tag] = []
        while !rest.isEmpty {
            let element = Self.firstElement(of: rest)
            rest = rest[element.endIndex...].dropFirst()
            let item = element.trimmed
            let isWeak = item.starts(with: "W/".utf8)
            tags.append(Tag(bytes: Self.unquoted(isWeak ? item.dropFirst(2) : item), isWeak: isWeak))
        }
        self.tags = tags
    }

    /// Returns the bytes before the first comma outside quotes. An entity tag has no escapes (RFC 9110, section 8.8.3).
    private static func firstElement(of list: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var isQuoted = false
        return list.prefix { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return isQuoted || byte != UInt8(ascii: ",")
        }
    }

    /// Whether the list contains a tag by strong comparison, in which weak tags never match.
    ///
    /// - Parameter tag: without quotes.
    func matchesStrongly(_ tag: [UInt8]) -> Bool {
        isAny || tags.contains { !$0.isWeak && $0.bytes.elementsEqual(tag) }
    }

    /// Whether the list contains a tag by weak comparison.
    ///
    /// - Parameter tag: without quotes.
    func matchesWeakly(_ tag: [UInt8]) -> Bool {
        isAny || tags.contains { $0.bytes.elementsEqual(tag) }
    }

    /// Returns a tag without surrounding quotes.
    static func unquoted(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let quote = UInt8(ascii: "\"")
        return tag.count >= 2 && tag.first == quote && tag.last == quote ? tag.dropFirst().dropLast() : tag
    }
}
