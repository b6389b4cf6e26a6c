import Foundation
import Presigning
import Testing

@Suite struct SigningTimeTests {
    @Test(
        arguments: [
            (Int64(0), "19700101T000000Z", "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "20000229T000000Z", "2000-02-29T00:00:00Z", "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_369_353_600, "20130524T000000Z", "2013-05-24T00:00:00Z", "Fri, 24 May 2013 00:00:00 GMT"),
            (4_107_542_399, "21000228T235959Z", "2100-02-28T23:59:59Z", "Sun, 28 Feb 2100 23:59:59 GMT"),
            (253_402_300_799, "99991231T235959Z", "9999-12-31T23:59:59Z", "Fri, 31 Dec 9999 23:59:59 GMT"),
        ])
    func convertsToTextAndBack(seconds: Int64, basic: String, rfc3339: String, http: String) {
        let time = SigningTime(secondsSince1970: seconds)
        #expect(time.basicText == basic)
        #expect(time.rfc3339Text == rfc3339)
        #expect(time.httpDateText == http)
        #expect(SigningTime(basic: Array(basic.utf8)) == time)
        #expect(SigningTime(rfc3339: rfc3339) == time)
    }

    @Test func agreesWithFoundationOnEveryDay() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for day in stride(from: 0, to: 80_000, by: 13) {
            let seconds = Int64(day) * 86_400 + 86_399
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: TimeInterval(seconds)))
            let text = String(format: "%04d%02d%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
            #expect(SigningTime(secondsSince1970: seconds).basicText == text + "T235959Z")
        }
    }

    @Test(
        "Fractions are truncated, offsets applied",
        arguments: [
            ("2026-02-28T23:59:59.75Z", "20260228T235959Z"), ("2026-08-31T12:34:56.999999999Z", "20260831T123456Z"),
            ("2013-05-24T02:00:00+02:00", "20130524T000000Z"), ("2013-05-23t19:30:00-04:30", "20130524T000000Z"),
        ])
    func rfc3339(text: String, basic: String) {
        #expect(SigningTime(rfc3339: text)?.basicText == basic)
    }

    @Test(arguments: [
        "", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-32T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00", "2026-01-01",
        "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zx", "1969-12-31T23:59:59Z", "2026-1-01T00:00:00Z",
        "2026-01-01T00:00:00+0200", "+026-01-01T00:00:00Z", "20130524T000000Z",
    ])
    func noDate(text: String) {
        #expect(SigningTime(rfc3339: text) == nil)
    }

    @Test(arguments: [
        "", "20130524", "20130524T000000", "2013-05-24T00:00:00Z", "20130524t000000Z", "20130230T000000Z",
    ])
    func noBasicDate(text: String) {
        #expect(SigningTime(basic: Array(text.utf8)) == nil)
    }

    @Test func clampsTimesOutOfRange() {
        #expect(SigningTime(secondsSince1970: -1).secondsSince1970 == 0)
        #expect(SigningTime(secondsSince1970: .max).advanced(bySeconds: .max).basicText == "99991231T235959Z")
    }
}
