import Foundation

/// What a server does when twice as much comes as it can do: see `run.sh` beside this file.
///
/// `OverloadBenchmark PORT REQUEST-FILE keep|new CONNECTIONS [RATE]`: finds the rate the server sustains (or takes
/// RATE), then sends half of it, twice of it, and half again, and prints what came of each.
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
        let measured = probe.capacity(seconds: 2)
        let sustained = arguments.count > 4 ? Int(arguments[5]) ?? Int(measured) : Int(measured)
        print("sustained: \(sustained)/s")
        let calm = generator.run(rate: sustained / 2, seconds: 3)
        print(calm.line("half"))
        let normal = calm.acceptedTime(0.99)
        let loaded = generator.run(rate: sustained * 2, seconds: 10)
        print(loaded.line("twice"))
        let after = generator.run(rate: sustained / 2, seconds: 2)
        print(after.line("half again"))
        let ratio = Double(loaded.acceptedTime(0.99)) / Double(max(1, normal))
        print("p99 of the answered: \((ratio * 100).rounded() / 100) times the unloaded")
        print("recovered after \(after.recovered(within: 3 * normal).map { "\($0) ms" } ?? "never")")
    }
}
