import Testing
import Text

@Suite("HTTP dates")
struct HTTPDateTests {
    @Test(
        "IMF-fixdate is written and read back",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)])
    func roundTrip(_ seconds: Int64, _ text: String) {
        #expect(HTTPDate.text(secondsSince1970: seconds).elementsEqual(text.utf8))
        #expect(HTTPDate.secondsSince1970(of: Array(text.utf8), now: 0) == seconds)
    }

    @Test("A time before 1970 is written as the start of 1970", arguments: [-1, .min] as [Int64])
    func early(_ seconds: Int64) {
        #expect(HTTPDate.text(secondsSince1970: seconds).elementsEqual("Thu, 01 Jan 1970 00:00:00 GMT".utf8))
    }

    static let forms: [(String, Int64?)] = [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("sun, 06 NOV 1994 08:49:37 gmt", 784_111_777),
        ("Fri, 15-Jan-27 08:00:00 GMT", 1_800_000_000), ("Fri, 15-Jan-77 08:00:00 GMT", 222_163_200),
        ("Fri, 15-Jan-76 08:00:00 GMT", 3_346_300_800), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Sun, 06 Nov 1994 08:49:37", nil), ("Sun, 31 Feb 1994 08:49:37 GMT", nil),
        ("Sun, 06 Nov 1994 24:49:37 GMT", nil), ("Sun, 06 Nov 1994 8:49:37 GMT", nil), ("", nil),
        ("2023-01-01T00:00:00Z", nil), ("784111777", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
        ("Sun, 06 Nov -994 08:49:37 GMT", nil), ("Sun, 06 Nov 94 08:49:37 GMT", nil),
        ("Sun, 06 Nov 01994 08:49:37 GMT", nil), ("Sun, +6 Nov 1994 08:49:37 GMT", nil),
        ("Sun, 006 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49 GMT", nil),
        ("Sun, 06 Nov 1994 08:49:37:00 GMT", nil), ("Sun, 06 Nov 1994 08:49:60 GMT", nil),
        ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sunday, 06-Nov-1994 08:49:37 GMT", nil),
        ("Sunday, 06--Nov-94 08:49:37 GMT", nil),
    ]

    @Test("Three formats are read; a two-digit year is at most fifty years in the future", arguments: forms)
    func read(_ text: String, _ seconds: Int64?) {
        #expect(HTTPDate.secondsSince1970(of: Array(text.utf8), now: 1_800_000_000) == seconds)
    }
}
