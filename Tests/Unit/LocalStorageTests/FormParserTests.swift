import TestSupport
import Testing

@testable import LocalStorage

@Suite("Parser of HTML forms")
struct FormParserTests {
    private static let type = "multipart/form-data; boundary=XyZ"

    /// What a form consists of, with the pieces of the file joined.
    private struct Outcome: Equatable {
        var fields: [String] = []
        var file: [UInt8]?
        var isComplete = false
        var code: String?
    }

    /// Feeds the pieces to a parser.
    private static func parse(_ pieces: [ArraySlice<UInt8>], type: String = type) -> Outcome? {
        guard var parser = FormParser(contentType: Array(type.utf8)) else { return nil }
        var outcome = Outcome()
        do throws(S3Error) {
            for piece in pieces {
                var rest = piece
                while let event = try parser.next(&rest) {
                    switch event {
                    case .field(let name, let value):
                        outcome.fields.append(
                            String(decoding: name, as: UTF8.self) + "=" + String(decoding: value, as: UTF8.self))
                    case .file: outcome.file = []
                    case .content(let bytes): outcome.file? += bytes
                    }
                }
            }
            outcome.isComplete = parser.hasFile
        } catch {
            outcome.code = error.code
        }
        return outcome
    }

    private static func parse(_ text: String, type: String = type) -> Outcome? {
        parse([Array(text.utf8)[...]], type: type)
    }

    private static func part(_ name: String, _ value: String, more: String = "") -> String {
        "--XyZ\r\nContent-Disposition: form-data; name=\"\(name)\"\(more)\r\n\r\n\(value)\r\n"
    }

    @Test("Fields and a file that looks like a delimiter, however they are split")
    func splits() throws {
        let file = "a\r\n--Xy\r--XyZ\n--XyZ\r\r\n-\r\n--\r\n"
        let form = Array(
            (Self.part("Key", "a\r\nb") + Self.part("empty", "")
                + "--XyZ \r\ncontent-type: text/plain\r\ncontent-disposition: form-data; filename=\"x;y\"; name=File\r\n\r\n"
                + file + "\r\n--XyZ\r\nContent-Disposition: form-data; name=\"later\"\r\n\r\nignored\r\n--XyZ--\r\n")
                .utf8)
        let expected = Outcome(fields: ["key=a\r\nb", "empty="], file: Array(file.utf8), isComplete: true)
        #expect(Self.parse([form[...]]) == expected)
        #expect(Self.parse(form.indices.map { form[$0...$0] }) == expected)
        for first in form.indices {
            #expect(Self.parse([form[..<first], form[first...]]) == expected, "split at \(first)")
        }
    }

    @Test(
        "What looks like the beginning of a delimiter does not split the file",
        arguments: ["\r", "\n", "a,b,c\r\n", "\r\n--Xy", "\r\n--XyY", "\r\r\n--"])
    func pieces(line: String) throws {
        var parser = try #require(FormParser(contentType: Array(Self.type.utf8)))
        let file = Array(String(repeating: line, count: 100_000).utf8)
        let form = Array(Self.part("file", "").dropLast().utf8) + file + Array("\r\n--XyZ--".utf8)
        var (content, inputs, pieces): ([UInt8], Int, Int) = ([], 0, 0)
        for start in stride(from: 0, to: form.count, by: 60_000) {
            var input = form[start..<min(start + 60_000, form.count)]
            inputs += 1
            while let event = try parser.next(&input) {
                guard case .content(let piece) = event else { continue }
                content += piece
                pieces += 1
            }
        }
        #expect(content == file && parser.hasFile)
        // The second is what an input had left open.
        #expect(pieces <= 2 * inputs, "\(pieces) pieces of \(inputs) inputs")
    }

    @Test("Only a complete file counts")
    func incomplete() throws {
        let form = Array((Self.part("file", "abc") + "--XyZ--").utf8)
        let end = form.count - 2
        for count in 0..<end {
            #expect(Self.parse([form[..<count]])?.isComplete == false, "\(count) bytes")
        }
        #expect(Self.parse([form[..<end]])?.isComplete == true)
        let without = try #require(Self.parse(Self.part("a", "b") + "--XyZ--"))
        #expect(without == Outcome(fields: ["a=b"]))
    }

    @Test(
        "Malformed forms are refused",
        arguments: [
            "--XyZ\r\nContent-Type: text/plain\r\n\r\nx\r\n--XyZ--", "--XyZ\r\n\r\n\r\n\r\n",
            "--XyZ\r\nContent-Disposition: form-data; name=\"\"\r\n\r\n", "--XyZab", "--XyZ-a", "--XyZ\n\n",
        ])
    func malformed(form: String) throws { #expect(Self.parse(form)?.code == "MalformedPOSTRequest") }

    @Test("What precedes the file is bounded; the file is not")
    func limits() throws {
        let limit = FormParser.maximumFieldBytes
        let large = String(repeating: "x", count: limit)
        #expect(Self.parse(Self.part("a", large))?.code == "MaxPostPreDataLengthExceeded")
        #expect(
            Self.parse(Self.part("a", "b", more: "; filename=\"\(large)\""))?.code == "MaxPostPreDataLengthExceeded")
        let fields = String(repeating: Self.part("a", String(repeating: "x", count: 1000)), count: 20)
        #expect(Self.parse(fields)?.code == "MaxPostPreDataLengthExceeded")
        #expect(Self.parse("preamble" + large + "\r\n" + Self.part("a", "b") + "--XyZ--")?.fields == ["a=b"])
        #expect(Self.parse(Self.part("file", large) + "--XyZ--")?.file?.count == limit)
    }

    @Test(
        "The content type must name a boundary",
        arguments: [
            ("multipart/form-data; boundary=XyZ", true), ("Multipart/Form-Data; charset=utf-8; BOUNDARY=\"XyZ\"", true),
            ("multipart/form-data", false), ("multipart/form-data; boundary=", false),
            ("multipart/mixed; boundary=XyZ", false),
            ("multipart/form-data; boundary=\(String(repeating: "x", count: 71))", false),
            ("application/x-www-form-urlencoded", false), ("", false),
        ])
    func contentTypes(type: String, isForm: Bool) throws {
        let outcome = Self.parse(Self.part("file", "x") + "--XyZ--", type: type)
        #expect((outcome != nil) == isForm)
        if isForm { #expect(outcome?.isComplete == true) }
    }
}
