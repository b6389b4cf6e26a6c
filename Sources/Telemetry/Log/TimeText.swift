package import Presigning

/// A time in the form of RFC 3339, written anew only when the second changes.
package struct TimeText: Sendable {
    /// Years have four digits. No array, of which a reference would be counted wherever it is passed on.
    package private(set) var characters: InlineArray<20, UInt8>
    private var time: SigningTime

    package init(of time: SigningTime = SigningTime(secondsSince1970: 0)) {
        characters = InlineArray(initializingWith: { time.appendRFC3339(to: &$0) })
        self.time = time
    }

    /// Makes it the text of another time.
    package mutating func update(to time: SigningTime) {
        if time != self.time { self = TimeText(of: time) }
    }
}
