/// The parts of an absolute `http` or `https` URL without user information and fragment (RFC 9110, section 4.2).
package struct AbsoluteURL: Sendable, Equatable {
    /// The part of a URL that is malformed.
    package enum Mistake: Error, Sendable, Equatable {
        /// The text does not start with `http://` or `https://`.
        case scheme
        case authority(Authority.Mistake)
        /// What follows the authority is not a path and a query.
        case target
    }

    /// Whether the scheme is `https`.
    package let isSecure: Bool
    /// Host and port; ranges count from the start of `authorityRange`.
    package let authority: Authority
    /// Where the authority is in the text.
    package let authorityRange: Range<Int>
    /// Where path and query are in the text.
    package let target: RequestTarget

    /// Parses a URL.
    ///
    /// - Parameter allowsEmptyPort: accepts `http://host:/`, as the grammar does.
    package init(_ text: Span<UInt8>, allowsEmptyPort: Bool = false) throws(Mistake) {
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

    /// The port, the scheme's default if the URL names none.
    package var port: UInt16 { authority.port ?? (isSecure ? 443 : 80) }

    /// Where the host is in the text, with the brackets of an IPv6 address.
    package var hostRange: Range<Int> {
        (authorityRange.lowerBound + authority.hostRange.lowerBound)..<(authorityRange.lowerBound
            + authority.hostRange.upperBound)
    }
}

/// Where path and query are in a text (RFC 3986, sections 3.3 and 3.4).
package struct RequestTarget: Sendable, Equatable {
    /// The path; may be empty.
    package let path: Range<Int>
    /// The query without its question mark; nil if there is none.
    package let query: Range<Int>?

    /// Locates the path that starts at `start` and the query after it; nil if anything else follows.
    package init?(_ text: Span<UInt8>, from start: Int) {
        var end = text.pathEnd(from: start)
        path = start..<end
        guard end < text.count else {
            query = nil
            return
        }
        query = (end + 1)..<text.count
        // A query may hold question marks, too.
        while end < text.count {
            guard text[end] == ASCII.question else { return nil }
            end = text.pathEnd(from: end + 1)
        }
    }
}
