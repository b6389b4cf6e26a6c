package import Presigning
import Text

/// A time in RFC 3339 that is formatted again only when the second changes.
package struct TimeText: Sendable {
    /// The text in ASCII.
    package private(set) var characters: [UInt8]
    private var time: SigningTime

    package init(of time: SigningTime = SigningTime(secondsSince1970: 0)) {
        var text = ByteBuffer(capacity: SigningTime.rfc3339Count)
        time.appendRFC3339(to: &text)
        characters = text.bytes
        self.time = time
    }

    /// Changes the text to another time.
    package mutating func update(to time: SigningTime) {
        if time != self.time { self = TimeText(of: time) }
    }
}
