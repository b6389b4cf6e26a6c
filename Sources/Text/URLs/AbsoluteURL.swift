/// The parts of an absolute `http` or `https` URL without user information and fragment (RFC 9110 section 4.2).
public struct AbsoluteURL: Sendable, Equatable {
    /// The part of a URL that is malformed.
    public enum Mistake: Error, Sendable, Equatable {
        /// The text does not start with `http://` or `https://`.
        case scheme
        case authority(Authority.Mistake)
        /// The part after the authority is not a path with an optional query.
        case target
    }

    /// Whether the scheme is `https`.
    public let isSecure: Bool
    /// Host and port. Its ranges are relative to the start of `authorityRange`.
    public let authority: Authority
    /// The range of the authority in the text.
    public let authorityRange: Range<Int>
    /// The ranges of path and query in the text.
    public let target: RequestTarget

    /// Parses a URL.
    ///
    /// - Parameter allowsEmptyPort: whether to accept `http://host:/`, which the grammar allows.
    public init(_ text: Span<UInt8>, allowsEmptyPort: Bool = false) throws(Mistake) {
        let start: Int
        if text.startsIgnoringCase(with: "https://") {
            (isSecure, start) = (true, 8)
        } else if text.startsIgnoringCase(with: "http://") {
            (isSecure, start) = (false, 7)
        } else {
            throw .scheme
        }
        var end = start
        while end < text.count, text[end] != ASCII.slash, text[end] != ASCII.question { end += 1 }
        authorityRange = start..<end
        do throws(Authority.Mistake) {
            authority = try Authority(text.extracting(authorityRange), allowsEmptyPort: allowsEmptyPort)
        } catch {
            throw .authority(error)
        }
        guard let target = RequestTarget(text, from: end) else { throw .target }
        self.target = target
    }

    /// The port; without one in the URL, the scheme's default.
    public var port: UInt16 { authority.port ?? (isSecure ? 443 : 80) }

    /// The range of the host in the text, including the brackets of an IPv6 address.
    public var hostRange: Range<Int> {
        (authorityRange.lowerBound + authority.hostRange.lowerBound)..<(authorityRange.lowerBound
            + authority.hostRange.upperBound)
    }

    /// Returns the host in the form that clients send: a name in lower case, or an address as `IPAddress` describes it,
    /// in brackets if it is an IPv6 address.
    ///
    /// - Parameter text: the text of the URL.
    public func sentHost(of text: [UInt8]) -> [UInt8] {
        if case .address(.v6(let high, let low)) = authority.host {
            return Array("[\(IPAddress.v6(high, low))]".utf8)
        }
        return ASCII.lowercased(text[hostRange])
    }
}

/// The ranges of path and query in a text (RFC 3986 sections 3.3 and 3.4).
public struct RequestTarget: Sendable, Equatable {
    /// The path; may be empty.
    public let path: Range<Int>
    /// The query without its question mark; nil without a query.
    public let query: Range<Int>?

    /// Finds the path that starts at `start` and the query after it; nil if the text does not end there.
    public init?(_ text: Span<UInt8>, from start: Int) {
        var end = text.pathEnd(from: start)
        path = start..<end
        guard end < text.count else {
            query = nil
            return
        }
        query = (end + 1)..<text.count
        // A query may contain question marks.
        while end < text.count {
            guard text[end] == ASCII.question else { return nil }
            end = text.pathEnd(from: end + 1)
        }
    }
}
