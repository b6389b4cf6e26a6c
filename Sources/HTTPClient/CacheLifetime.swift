import Text

extension FetchResponse {
    /// How many seconds it may be cached from now on: `max-age` less `Age` (RFC 9111 sections 4.2.1 and 4.2.3); 0 for
    /// `no-store`, `no-cache` and an expired response; nil without a valid `max-age`. `Expires` is ignored.
    ///
    /// Of several values the shortest applies.
    package var freshFor: Int? {
        let directives = (headers["cache-control"] ?? "").utf8.split(separator: UInt8(ascii: ","))
        let lifetimes = directives.compactMap { Self.seconds(of: Array($0)[...].trimming(ASCII.isBlank)) }
        let age = headers["age"].flatMap { Int(decimal: $0.utf8.span) } ?? 0
        return lifetimes.min().map { max(0, $0 - age) }
    }

    /// Returns the seconds that one directive allows; nil for one that does not limit caching.
    private static func seconds(of directive: ArraySlice<UInt8>) -> Int? {
        let text = directive.span
        if text.equalsIgnoringCase("no-store") || text.equalsIgnoringCase("no-cache") { return 0 }
        guard text.startsIgnoringCase(with: "max-age=") else { return nil }
        return Int(decimal: text.extracting("max-age=".utf8.count...))
    }
}
