import Presigning

/// The text of a time in the form of RFC 3339, written anew only when the second changes.
struct TimeText: Sendable {
    private(set) var bytes: [UInt8] = []
    private var time = SigningTime(secondsSince1970: 0)

    init() { write() }

    /// Makes it the text of another time.
    mutating func update(to time: SigningTime) {
        guard time != self.time else { return }
        self.time = time
        write()
    }

    private mutating func write() {
        bytes = []
        bytes.append(addingCapacity: Self.length) { time.appendRFC3339(to: &$0) }
    }

    /// The bytes of the text: years have four digits.
    static let length = 20
}
