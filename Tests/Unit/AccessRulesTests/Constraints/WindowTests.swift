import Presigning
import Requests
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats

@Suite("Windows of cache-stable URLs in rules")
struct WindowTests {
    private static let yaml = """
        rules:
          - {path: plain/**, allow: {everyone: [read, write, delete, multipart]}}
          - {path: own/**, allow: {everyone: [get]}, expires: {window: 1h}}
          - {path: off/**, allow: {everyone: [get]}, expires: {window: 0s}}
          - path: grants/**
            allow:
              everyone: [get]
              group:slow: {actions: [get], expires: {window: 1d}}
              group:off: {actions: [get], expires: {window: 0s}}
            expires: {window: 10m}
          - {path: plain/**, store: archive, allow: {everyone: [get]}}
        """

    private static func window(
        _ path: String, _ action: AccessAction = .get, groups: [String] = [], store: String? = nil,
        expiresIn: Int64? = nil, windows: [String: Int] = ["media": 900]
    ) throws -> Int64 {
        var request = PolicyFixture.request(
            path, action, as: PolicyFixture.user("a", groups: groups), store: store)
        request.expiresIn = expiresIn
        let decision = try PolicyFixture.compile(Self.yaml, windows: windows).policy.decision(for: request)
        guard case .allowed(let allowance) = decision else { throw NotAllowed(decision: decision) }
        return allowance.window
    }

    private struct NotAllowed: Error { let decision: AccessDecision }

    @Test("A rule's window replaces the store's, and a grant's replaces the rule's")
    func precedence() throws {
        #expect(try Self.window("plain/a") == 900)
        #expect(try Self.window("plain/a", windows: [:]) == 0)
        #expect(try Self.window("plain/a", store: "archive") == 0)
        #expect(try Self.window("own/a") == 3600)
        #expect(try Self.window("own/a", windows: [:]) == 3600)
        #expect(try Self.window("off/a") == 0)
        #expect(try Self.window("grants/a") == 600)
    }

    @Test("Of grants with the same limits, the one with the longest window counts")
    func widest() throws {
        #expect(try Self.window("grants/a", groups: ["slow"]) == 86_400)
        #expect(try Self.window("grants/a", groups: ["off"]) == 600)
        #expect(try Self.window("grants/a", groups: ["off", "slow"]) == 86_400)
    }

    @Test("Only `get` has a window", arguments: [AccessAction.list, .write, .delete, .multipart])
    func otherActions(action: AccessAction) throws {
        #expect(try Self.window("plain/a", action) == 0)
    }

    @Test(
        "The window is what the lifetime leaves of 7 days",
        arguments: [(604_000, 800), (604_800, 0), (603_900, 900), (nil, 900)] as [(Int64?, Int64)])
    func sevenDays(expiresIn: Int64?, window: Int64) throws {
        #expect(try Self.window("plain/a", expiresIn: expiresIn) == window)
    }

    @Test(
        "Windows in which URLs live longer than the maximum cause a warning",
        arguments: [
            (
                "{path: a, allow: {everyone: [get]}, expires: {max: 1m}}", ["media": 900], "2:12",
                "URLs live up to 960 s, although the maximum is 60 s"
            ),
            (
                "{path: a, allow: {everyone: {actions: [get], expires: {max: 1m}}}}", ["media": 900], "2:12",
                "URLs live up to 960 s"
            ),
            (
                "{path: a, allow: {everyone: [get], guest: {actions: [get], expires: {max: 1m}}}}", ["media": 900],
                "2:40", "`guest`: the window is 900 s, so URLs live up to 960 s"
            ),
            (
                "{path: a, allow: {everyone: [write], guest: {actions: [get], expires: {max: 1m, window: 2m}}}}", [:],
                "2:12", "URLs live up to 180 s"
            ),
        ] as [(String, [String: Int], String, String)])
    func warnings(rule: String, windows: [String: Int], position: String, message: String) throws {
        let warnings = try PolicyFixture.compile("rules:\n  - \(rule)", windows: windows).warnings.filter {
            $0.message.contains("window")
        }
        #expect(warnings.map(\.position.description) == ["p.yaml:\(position)"])
        #expect(warnings.first?.message.contains(message) == true, "\(warnings)")
    }

    @Test(
        "Windows that fit cause none",
        arguments: [
            "{path: a, allow: {everyone: [get]}, expires: {max: 15m}}",
            "{path: a, allow: {everyone: [get]}, expires: {max: 1m, window: 0s}}",
            "{path: a, allow: {everyone: [write]}, expires: {max: 1m}}",
            "{path: a, allow: {everyone: [get, write]}, expires: {default: 6d, window: 1d}}",
            "{path: a, allow: {everyone: [get]}, expires: {default: 7d, window: 1h}}",
        ])
    func noWarnings(rule: String) throws {
        #expect(try PolicyFixture.compile("rules:\n  - \(rule)", windows: ["media": 900]).warnings == [])
    }

    @Test(
        "A window that no URL can have is a mistake", arguments: ["7d", "604800s", "-1s", "900", "\"15m\"", "[]", "1w"])
    func mistakes(window: String) throws {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try PolicyFixture.compile(
                "rules:\n  - {path: a, allow: {everyone: [get]}, expires: {window: \(window)}}")
        }
        #expect(error?.position.description == "p.yaml:2:59")
    }
}
