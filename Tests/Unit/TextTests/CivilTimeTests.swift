import Testing
import Text

@Suite("Calendar and time of day")
struct CivilTimeTests {
    @Test(
        "Converts seconds since 1970 and back",
        arguments: [
            (0, 1970, 1, 1, 0, 0, 0), (-1, 1969, 12, 31, 23, 59, 59), (-86_400, 1969, 12, 31, 0, 0, 0),
            (784_111_777, 1994, 11, 6, 8, 49, 37), (951_827_696, 2000, 2, 29, 12, 34, 56),
            (4_107_542_399, 2100, 2, 28, 23, 59, 59), (4_107_542_400, 2100, 3, 1, 0, 0, 0),
            (253_402_300_799, 9999, 12, 31, 23, 59, 59),
        ] as [(Int64, Int, Int, Int, Int, Int, Int)])
    func seconds(_ seconds: Int64, year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) throws {
        let time = CivilTime(secondsSince1970: seconds)
        let date = try #require(CivilDate(year: year, month: month, day: day))
        #expect(time == CivilTime(date, hour: hour, minute: minute, second: second))
        #expect(time.secondsSince1970 == seconds)
    }

    @Test("The days of four centuries are consecutive")
    func days() {
        var previous = CivilDate(daysSince1970: -1)
        for day in 0...146_097 {
            let date = CivilDate(daysSince1970: day)
            let isNext =
                date.day == 1
                ? previous.day >= 28 && (date.month == previous.month % 12 + 1)
                : date.day == previous.day + 1 && date.month == previous.month
            #expect(isNext && date.daysSince1970 == day)
            previous = date
        }
        #expect(previous == CivilDate(year: 2370, month: 1, day: 1))
    }

    @Test(
        "Rejects days that do not exist",
        arguments: [
            (2026, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 13, 1), (2026, 0, 1), (2026, 1, 0), (2026, 1, 32),
        ])
    func noDay(_ year: Int, _ month: Int, _ day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test(
        "Rejects times that do not exist",
        arguments: [(24, 0, 0), (23, 60, 0), (23, 59, 60), (-1, 0, 0), (0, -1, 0), (0, 0, -1)])
    func noTime(_ hour: Int, _ minute: Int, _ second: Int) {
        let date = CivilDate(daysSince1970: 0)
        #expect(CivilTime(date, hour: hour, minute: minute, second: second) == nil)
    }

    @Test("Reads digits with and without separators")
    func digits() {
        let time = CivilTime(secondsSince1970: 784_111_777)
        var output = ByteBuffer()
        output.append(time.date)
        output.append(time.date, separator: UInt8(ascii: "-"))
        output.append(clock: time)
        output.append(clock: time, separator: UInt8(ascii: ":"))
        #expect(String(decoding: output.bytes, as: UTF8.self) == "199411061994-11-0608493708:49:37")
    }
}
