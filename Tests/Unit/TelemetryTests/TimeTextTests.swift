import Testing

@testable import Presigning
@testable import Telemetry

@Suite("Cached text of the time")
struct TimeTextTests {
    private static func text(_ time: TimeText) -> String {
        String(decoding: time.characters, as: UTF8.self)
    }

    @Test("The text follows the clock forward and back")
    func updates() {
        var time = TimeText()
        #expect(Self.text(time) == "1970-01-01T00:00:00Z")
        for seconds: Int64 in [1_795_224_153, 1_795_224_154, 1_795_224_154, 0, SigningTime.representable.upperBound] {
            time.update(to: SigningTime(secondsSince1970: seconds))
            #expect(Self.text(time) == SigningTime(secondsSince1970: seconds).rfc3339Text)
        }
    }
}
