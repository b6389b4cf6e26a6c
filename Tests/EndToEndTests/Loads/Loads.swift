import Foundation
import Testing

/// Tests that send as many requests as they can, one at a time because each could take all cores, and in a process of
/// their own because others would be late. Those that measure time or memory are in `Alone`.
@Suite(
    "Loads and failures", .serialized,
    .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY; Tests/run.sh sets it"))
enum Loads {
    /// The duration of each load in seconds; PRESIGN_E2E_SECONDS overrides it.
    static let seconds = setting("PRESIGN_E2E_SECONDS") ?? 2
    /// The allowed slowdown compared with a plain build, for sanitizers; PRESIGN_E2E_SLOWNESS.
    static let slowness = setting("PRESIGN_E2E_SLOWNESS") ?? 1

    /// The request body of every load.
    static let body = #"{"path":"images/cat.jpg","method":"PUT","contentType":"image/jpeg","contentLength":51234}"#

    /// Runs the body with a service, which must end with status 0 afterwards.
    ///
    /// - Parameters:
    ///   - guests: Whether a request without credentials is read to its end and may be granted.
    ///   - page, server, auth, sections, wrapper: Passed to `PresignProcess.serving`.
    ///   - store, environment: Settings of the store, and environment variables of the service, to add or replace.
    static func serving<Value: Sendable>(
        guests: Bool = false, page: Bool = false, server: String? = nil, auth: String? = nil, sections: String = "",
        wrapper: [String] = [], store: [String: String] = [:], environment: [String: String] = [:],
        _ body: (PresignProcess) async throws -> Value
    ) async throws -> Value {
        try await ConcurrencyLimit.tests.pass {
            try await PresignProcess.serving(
                store: ["bucket": "acme-media", "region": "eu-west-1", "credentials": "environment"]
                    .merging(store) { _, given in given },
                environment: ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "an example's secret"]
                    .merging(environment) { _, given in given },
                guests: guests, page: page, server: server, auth: auth, sections: sections, wrapper: wrapper, body)
        }
    }

    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}

extension PresignProcess {
    /// Of `address`.
    var port: UInt16 {
        get throws { try #require(UInt16(address.split(separator: ":").last ?? "")) }
    }

    /// The environment in which the scripts of `Tests/clients` find the service.
    var clientEnvironment: [String: String] {
        ["PRESIGN": "http://\(address)", "PRESIGN_KEY": apiKey, "PRESIGN_E2E_SLOWNESS": "\(Loads.slowness)"]
    }

    /// Options of curl or a load generator for the standing request.
    var headers: [String] { ["-H", "X-API-Key: \(apiKey)", "-H", "Content-Type: application/json"] }
}

extension Command.Result {
    /// The number after the label in the program's output.
    func number(after label: String) throws -> Int {
        let start = try #require(output.range(of: label)?.upperBound, "no \(label): \(output)\(errors)")
        let digits = output[start...].drop { " \t:=".contains($0) }.prefix { $0.isNumber }
        return try #require(Int(digits), "no number after \(label): \(output)")
    }
}
