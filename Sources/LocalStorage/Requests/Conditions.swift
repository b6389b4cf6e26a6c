import Presigning
import Text

/// The conditions of a GET or HEAD, in the order of RFC 9110, section 13.2.2.
struct Conditions: Sendable {
    /// What they come to.
    enum Outcome: Sendable, Equatable {
        case proceed
        case notModified
        /// The header that says no.
        case failed(String)
    }

    private let ifMatch: EntityTagList?
    private let ifNoneMatch: EntityTagList?
    private let ifModifiedSince: SigningTime?
    private let ifUnmodifiedSince: SigningTime?

    /// - Parameter time: now; a date of two digits for the year is read by it.
    init(_ request: S3Request, at time: SigningTime) {
        ifMatch = request.header("if-match").map { EntityTagList($0) }
        ifNoneMatch = request.header("if-none-match").map { EntityTagList($0) }
        // A date that cannot be read is no condition.
        ifModifiedSince = request.header("if-modified-since").flatMap { SigningTime(httpDate: $0, at: time) }
        ifUnmodifiedSince = request.header("if-unmodified-since").flatMap { SigningTime(httpDate: $0, at: time) }
    }

    /// Holds them against an object that is there.
    ///
    /// A condition by tag takes the place of the one by date, which S3 documents too.
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
    /// `If-None-Match: *`: only where nothing is.
    let mustBeAbsent: Bool
    /// `If-Match`: only over this.
    let mustMatch: EntityTagList?

    static let none = WriteConditions(mustBeAbsent: false, mustMatch: nil)

    private init(mustBeAbsent: Bool, mustMatch: EntityTagList?) {
        self.mustBeAbsent = mustBeAbsent
        self.mustMatch = mustMatch
    }

    init(_ request: S3Request) throws(S3Error) {
        let ifNoneMatch = request.header("if-none-match")
        guard ifNoneMatch == nil || ifNoneMatch == [UInt8(ascii: "*")] else {
            throw .notImplemented("If-None-Match with anything but * when writing", header: "If-None-Match")
        }
        mustBeAbsent = ifNoneMatch != nil
        mustMatch = request.header("if-match").map { EntityTagList($0) }
    }

    /// - Parameter entityTag: of what is there now, unquoted; nil when nothing is.
    func check(_ entityTag: [UInt8]?, key: [UInt8]) throws(S3Error) {
        if mustBeAbsent, entityTag != nil { throw .preconditionFailed("If-None-Match") }
        guard let mustMatch else { return }
        guard let entityTag else { throw .noSuchKey(key) }
        guard mustMatch.matchesStrongly(entityTag) else { throw .preconditionFailed("If-Match") }
    }

    /// Whether anything has to be known of what is there.
    var isConditional: Bool { mustBeAbsent || mustMatch != nil }
}

extension SigningTime {
    /// Reads a date of an HTTP field; nil for anything else. Times before 1970 become its first second.
    ///
    /// - Parameter now: decides the century of a year of two digits.
    init?(httpDate text: [UInt8], at now: SigningTime) {
        guard let seconds = HTTPDate.secondsSince1970(of: text, now: now.secondsSince1970) else { return nil }
        self.init(secondsSince1970: seconds)
    }
}
