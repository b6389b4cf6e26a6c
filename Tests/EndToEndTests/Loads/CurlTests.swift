import Foundation
import Testing

extension Loads {
    @Suite("curl options")
    struct Curls {
        /// The options of one call in addition to the common ones, and the expected result.
        struct Case: Sendable, CustomTestStringConvertible {
            let what: String
            let options: [String]
            var path = "/presign"
            var hasKey = true
            let status: Int
            /// The number of body bytes that curl must send; nil for any number.
            var uploaded: Int?

            var testDescription: String { what }
        }

        private static let length = Loads.body.utf8.count
        private static let expecting = ["-H", "Expect: 100-continue"]
        private static let unasked = ["-H", "Expect:"]
        private static let cases = [
            Case(what: "HTTP/1.0", options: ["--http1.0", "-d", Loads.body], status: 200),
            Case(what: "HTTP/1.1", options: ["--http1.1", "-d", Loads.body], status: 200),
            Case(what: "an upgrade to HTTP/2 is ignored", options: ["--http2", "-d", Loads.body], status: 200),
            Case(what: "an upgrade to HTTP/2 of GET is ignored", options: ["--http2"], path: "/healthz", status: 200),
            Case(what: "100-continue", options: expecting + ["-d", Loads.body], status: 200, uploaded: length),
            Case(
                what: "100-continue without a key: rejected before the body is sent",
                options: expecting + ["-d", Loads.body], hasKey: false, status: 401, uploaded: 0),
            Case(
                what: "100-continue with a body above the limit: rejected before it is sent",
                options: expecting + ["--data-binary", "@-"], status: 413, uploaded: 0),
            Case(
                what: "a body above the limit: curl gets the response", options: unasked + ["--data-binary", "@-"],
                status: 413),
            Case(what: "chunks above the limit", options: unasked + ["-X", "POST", "-T", "-"], status: 413),
            Case(what: "HEAD", options: ["-I"], path: "/healthz", status: 200),
        ]

        /// More than ten times the limit.
        private static let large = Data(repeating: 0x20, count: 200_000)

        @Test("Each call gets its status and sends no more than needed", arguments: cases)
        func one(_ one: Case) async throws {
            try await Loads.serving { service in
                // If the server sent no 100, curl would send the body after a second; the call fails instead.
                let standing = [
                    "-qsS", "--noproxy", "*", "--max-time", "20", "--expect100-timeout", "30", "-o", "/dev/null",
                    "-w", "%{http_code} %{http_version} %{size_upload}\n", "-H", "Content-Type: application/json",
                ]
                let key = one.hasKey ? ["-H", "X-API-Key: \(service.apiKey)"] : []
                let result = try await Command.run(
                    "/usr/bin/curl", standing + key + one.options + ["http://\(service.address)\(one.path)"],
                    input: Self.large)
                let words = result.output.split(whereSeparator: \.isWhitespace)
                try #require(words.count == 3, "\(result)")
                #expect(words[0] == "\(one.status)" && words[1] == "1.1", "\(result)")
                if let uploaded = one.uploaded { #expect(words[2] == "\(uploaded)", "\(result)") }
            }
        }

        @Test("A body from a pipe is sent in chunks")
        func chunked() async throws {
            try await Loads.serving { service in
                let result = try await Command.run(
                    "/usr/bin/curl",
                    ["-qsSv", "--noproxy", "*", "-X", "POST", "-T", "-"] + service.headers + [
                        "http://\(service.address)/presign"
                    ], input: Data(Loads.body.utf8))
                #expect(result.status == 0 && result.output.contains(#""method":"PUT""#), "\(result)")
                #expect(result.errors.lowercased().contains("> transfer-encoding: chunked"))
            }
        }

        @Test("HEAD returns the length of GET's response without a body")
        func head() async throws {
            try await Loads.serving(page: true) { service in
                for path in ["/healthz", "/presign.js", "/nowhere"] {
                    let url = "http://\(service.address)\(path)"
                    let (head, get) = (try await Curl.send("HEAD", url), try await Curl.send("GET", url))
                    #expect(head.status == get.status)
                    #expect(head.headers["content-length"] == "\(get.body.count)" && !get.body.isEmpty, "\(path)")
                }
            }
        }

        @Test("Several requests share one connection, including rejected ones")
        func reuse() async throws {
            try await Loads.serving { service in
                let url = "http://\(service.address)"
                let form = ["-o", "/dev/null", "-w", "%{http_code} %{num_connects}\n"]
                let granted = form + service.headers + ["-d", Loads.body, url + "/presign"]
                let calls: [(arguments: [String], status: Int)] = [
                    (granted, 200),
                    (form + ["-d", Loads.body, url + "/presign"], 401),
                    (form + [url + "/nowhere"], 404),
                    (form + ["-I", url + "/healthz"], 200),
                    (form + service.headers + ["-d", "{", url + "/presign"], 400),
                    (form + service.headers + ["-X", "DELETE", url + "/presign"], 405),
                    (form + ["-T", "-", "-X", "POST"] + service.headers + [url + "/presign"], 200),
                    (granted, 200),
                ]
                let result = try await Command.run(
                    "/usr/bin/curl",
                    ["-qsS", "--noproxy", "*"] + calls.map(\.arguments).joined(separator: ["--next"]),
                    input: Data(Loads.body.utf8))
                let expected = calls.enumerated().map { "\($1.status) \($0 == 0 ? 1 : 0)\n" }.joined()
                #expect(result.output == expected, "\(result)")
            }
        }
    }
}
