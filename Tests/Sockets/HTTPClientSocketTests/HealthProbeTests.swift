import Testing

@testable import HTTPClient
@testable import System

@Suite("Health probe")
struct HealthProbeTests {
    @Test("Reads the status of an HTTP server and reports a closed port")
    func probe() {
        #expect(throws: SystemError(111)) { try HealthProbe.status(of: "/", at: .ipv4("127.0.0.1", port: 1)) }
        #expect(throws: SystemError(22)) { try HealthProbe.status(of: "/", at: .ipv4("no-address", port: 1)) }
        #expect(throws: SystemError(2)) { try HealthProbe.status(of: "/", at: .unix(path: "/nonexistent.sock")) }
    }
}
