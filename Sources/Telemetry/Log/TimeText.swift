package import Presigning

/// A time in RFC 3339 that is formatted again only when the second changes.
package struct TimeText: Sendable {
    /// The text in ASCII.
    package private(set) var characters: InlineArray<20, UInt8>
    private var time: SigningTime

    package init(of time: SigningTime = SigningTime(secondsSince1970: 0)) {
        characters = InlineArray(initializingWith: { time.appendRFC3339(to: &$0) })
        self.time = time
    }

    /// Changes the text to another time.
    package mutating func update(to time: SigningTime) {
        if time != self.time { self = TimeText(of: time) }
    }
}
