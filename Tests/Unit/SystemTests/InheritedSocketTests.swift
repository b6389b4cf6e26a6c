import Testing

@testable import System

@Suite("Inherited sockets")
struct InheritedSocketTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let variables: [String: String]
        /// The names in order, or a part of the message.
        let outcome: Result<[String], InheritedSocket.Failure>
        var testDescription: String { "\(variables)" }

        static func names(_ names: [String], _ variables: [String: String]) -> Case {
            Case(variables: variables, outcome: .success(names))
        }

        static func refused(_ reason: String, _ variables: [String: String]) -> Case {
            Case(variables: variables, outcome: .failure(.init(description: reason)))
        }
    }

    static let cases: [Case] = [
        .names([], [:]),
        .names([], ["LISTEN_PID": "42"]),
        .names([], ["LISTEN_FDS": "1"]),
        .names([], ["LISTEN_PID": "41", "LISTEN_FDS": "1"]),
        .names([], ["LISTEN_PID": "41", "LISTEN_FDS": "many"]),
        .names([], ["LISTEN_PID": "42", "LISTEN_FDS": "0"]),
        .names([], ["LISTEN_PID": "42", "LISTEN_FDS": "0", "LISTEN_FDNAMES": ""]),
        .names(["unknown"], ["LISTEN_PID": "42", "LISTEN_FDS": "1"]),
        .names(["http"], ["LISTEN_PID": "42", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "http"]),
        .names(["a", "", "b"], ["LISTEN_PID": "42", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "a::b"]),
        .refused("LISTEN_FDS is 'x'", ["LISTEN_PID": "42", "LISTEN_FDS": "x"]),
        .refused("LISTEN_FDS is '-1'", ["LISTEN_PID": "42", "LISTEN_FDS": "-1"]),
        .refused("LISTEN_FDS is '1025'", ["LISTEN_PID": "42", "LISTEN_FDS": "1025"]),
        .refused(
            "LISTEN_FDNAMES has 1 names, but LISTEN_FDS is 2",
            ["LISTEN_PID": "42", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "a"]),
    ]

    @Test("The variables name the sockets from descriptor 3 on", arguments: cases)
    func variables(given: Case) throws {
        let parsed = Result { () throws(InheritedSocket.Failure) in
            try InheritedSocket.parse(process: 42) { given.variables[$0] }
        }
        switch (parsed, given.outcome) {
        case (.success(let sockets), .success(let names)):
            #expect(sockets.map(\.name) == names)
            #expect(sockets.map(\.descriptor) == Array(3..<(3 + Int32(names.count))))
        case (.failure(let failure), .failure(let expected)):
            #expect(failure.description.contains(expected.description))
        default: Issue.record("\(parsed)")
        }
    }
}
