import Foundation

/// Measures a server at twice its capacity; see `overload.py`. `OverloadBenchmark PORT REQUEST-FILE keep|new
/// CONNECTIONS [RATE]` finds the rate the server sustains (or takes RATE), then sends half, twice, and again half of
/// it, five times, and prints the outcome of each.
@main
enum OverloadBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 4, let port = UInt16(arguments[1]),
            let mode = LoadGenerator.Mode(rawValue: arguments[3]),
            let connections = Int(arguments[4])
        else {
            print("usage: OverloadBenchmark PORT REQUEST-FILE keep|new CONNECTIONS [RATE]")
            exit(2)
        }
        let request = [UInt8](try Data(contentsOf: URL(filePath: arguments[2])))
        var generator = LoadGenerator(port: port, request: request, mode: mode, connections: connections)
        var probe = LoadGenerator(port: port, request: request, mode: mode, connections: 32)
        _ = probe.capacity(seconds: 0.5)
        let measured = probe.capacity(seconds: 5)
        let sustained = arguments.count > 4 ? Int(arguments[5]) ?? Int(measured) : Int(measured)
        print("sustained: \(sustained)/s")
        var rounds: [Round] = []
        for _ in 0..<5 {
            let calm = generator.run(rate: sustained / 2, seconds: 1)
            let loaded = generator.run(rate: sustained * 2, seconds: 5)
            let after = generator.run(rate: sustained / 2, seconds: 0.5)
            print(calm.line("half"), loaded.line("twice"), separator: "\n")
            rounds.append(Round(calm: calm, loaded: loaded, after: after))
        }
        // The medians of the rounds: if the machine itself stalls for 10 ms now and then, the p99 of a single run
        // measures the stall, not the server.
        let (calm, loaded) = (rounds.median { $0.calm }, rounds.median { $0.loaded })
        print("p99 of the answered, median of the rounds: \(loaded / 1000) us, unloaded \(calm / 1000) us")
        print("  \((Double(loaded) / Double(max(1, calm)) * 100).rounded() / 100) times the unloaded")
        let recovered = rounds.map { $0.recovered ?? .max }.sorted()
        print("recovered after \(recovered[rounds.count / 2]) ms, at most \(recovered.last ?? .max)")
    }

    /// The figures of one round: the p99 of served requests in nanoseconds, and milliseconds until recovery.
    struct Round {
        let calm: Int64
        let loaded: Int64
        let recovered: Int?

        init(calm: LoadReport, loaded: LoadReport, after: LoadReport) {
            self.calm = calm.acceptedTime(0.99)
            self.loaded = loaded.acceptedTime(0.99)
            recovered = after.recovered(within: 3 * self.calm)
        }
    }
}

extension [OverloadBenchmark.Round] {
    func median<Value: Comparable>(_ value: (Element) -> Value) -> Value { map(value).sorted()[count / 2] }
}
