import Foundation
import Testing

/// The built service against programs that others wrote, one at a time: here time is measured.
@Suite(
    "The engine, held against programs of others", .serialized,
    .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY; Tests/run.sh sets it"))
enum Engine {
    /// Seconds that each load lasts; PRESIGN_E2E_SECONDS makes it longer.
    static let seconds = setting("PRESIGN_E2E_SECONDS") ?? 2
    /// How many times slower than a plain build the service may be: a sanitizer's part, from PRESIGN_E2E_SLOWNESS.
    static let slowness = setting("PRESIGN_E2E_SLOWNESS") ?? 1

    /// What every load asks for.
    static let body = #"{"path":"images/cat.jpg","method":"PUT","contentType":"image/jpeg","contentLength":51234}"#

    /// Runs the body beside a service, which must end well afterwards.
    ///
    /// - Parameters:
    ///   - guests: whether a request without credentials is read to its end, and may be granted.
    ///   - page, server, auth, sections, wrapper: as `PresignProcess.serving` takes them.
    ///   - store: settings of the store to add or replace, and variables of the service's environment likewise.
    static func serving<Value: Sendable>(
        guests: Bool = false, page: Bool = false, server: String? = nil, auth: String? = nil, sections: String = "",
        wrapper: [String] = [], store: [String: String] = [:], environment: [String: String] = [:],
        _ body: (PresignProcess) async throws -> Value
    ) async throws -> Value {
        try await Turnstile.tests.pass {
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

    /// What the scripts of `Tests/clients` find the service by.
    var clientEnvironment: [String: String] { ["PRESIGN": "http://\(address)", "PRESIGN_KEY": apiKey] }

    /// curl's or a load generator's options for the standing request.
    var headers: [String] { ["-H", "X-API-Key: \(apiKey)", "-H", "Content-Type: application/json"] }
}

extension Command.Result {
    /// The number that follows the label in what the program printed.
    func number(after label: String) throws -> Int {
        let start = try #require(output.range(of: label)?.upperBound, "no \(label): \(output)\(errors)")
        let digits = output[start...].drop { " \t:=".contains($0) }.prefix { $0.isNumber }
        return try #require(Int(digits), "no number after \(label): \(output)")
    }
}
