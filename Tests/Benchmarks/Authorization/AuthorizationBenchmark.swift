import HTTP1
import Presigning

/// Measures authentication and authorization: `AuthorizationBenchmark [ROUNDS]` prints a table. One request runs
/// `CallerAuthenticator.outcome` and `AccessPolicy.decision`, which is everything between parsing its headers and
/// signing. A round runs enough requests to make the clock's cost negligible. The minimum of all rounds is the cost of
/// the code; the median shows how busy the machine was.
@main
enum AuthorizationBenchmark {
    private static let requests = 50_000
    /// The limit in nanoseconds per request, with 1,000 rules.
    private static let bound = 2000

    static func main() throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 25
        print("Authorization of one request, nanoseconds (minimum, median); bound with 1,000 rules: \(bound)")
        print(row("rules", ["API key", "token seen before", "rules alone"]))
        var isBroken = false
        for count in [10, 1000, 10_000] {
            let scene = try AuthorizationScene(rules: count)
            let times = [scene.keyHeaders, scene.tokenHeaders, nil].map { headers in
                measure(rounds, requests) { scene.isAllowed($0, headers) }
            }
            print(row("\(count)", times.map { "\($0.least), \($0.median)" }))
            if count == 1000, times.contains(where: { $0.least > bound }) { isBroken = true }
        }
        print("\nDecisions with 1,000 rules, one of them with 12 segments, nanoseconds (minimum, median)")
        for question in try DecisionScene().questions {
            let time = measure(rounds, question.repetitions) { _ in question.isAllowed() }
            print(row(question.name, ["\(time.least), \(time.median)", "bound \(question.bound)"], width: 40))
            if time.least > question.bound { isBroken = true }
        }
        precondition(!isBroken, "over the bound")
    }

    private static func measure(
        _ rounds: Int, _ requests: Int, _ isAllowed: (Int) -> Bool
    ) -> (least: Int, median: Int) {
        let clock = ContinuousClock()
        var times: [Int] = []
        for _ in 0...rounds {
            var allowed = 0
            let time = clock.measure {
                for index in 0..<requests where isAllowed(index) { allowed += 1 }
            }
            precondition(allowed == requests, "a request was refused")
            times.append(Int(time / .nanoseconds(requests)))
        }
        // The first round warms up the caches.
        let sorted = times.dropFirst().sorted()
        return (sorted[0], sorted[sorted.count / 2])
    }

    private static func row(_ head: String, _ cells: [String], width: Int = 8) -> String {
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        return right(head, width) + cells.map { right($0, 20) }.joined()
    }
}
