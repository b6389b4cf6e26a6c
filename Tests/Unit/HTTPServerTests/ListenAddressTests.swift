import Testing

@testable import HTTPServer

@Suite("Listen addresses")
struct ListenAddressTests {
    @Test(
        "Listen addresses are parsed and printed",
        arguments: ["0.0.0.0:8080", "[::]:8080", ":8080", "localhost:0", "unix:/run/x.sock", "[2001:db8::1]:65535"])
    func listenAddress(_ input: String) throws {
        #expect(try ListenAddress.parse(input).description == input)
    }

    @Test(
        "An IPv6 address is read in every spelling", arguments: [("[0:0::0]:80", "[::1]:80"), ("[0::1]:0", "[::1]:0")])
    func spelling(_ input: String, reachable: String) throws {
        #expect(try ListenAddress.parse(input).reachable.description == reachable)
    }

    @Test(
        "Invalid listen addresses are rejected with a message that names them",
        arguments: [
            "", "8080", "::1:8080", "a.example:80", "1.2.3.4:65536", "1.2.3.4:+1", "1.2.3.4:", "[1.2.3.4]:80", "unix:",
        ])
    func unreadableAddress(_ input: String) {
        let error = #expect(throws: HTTPServerError.self) { try ListenAddress.parse(input) }
        #expect(error?.description.contains("'\(input)'") == true)
        let isOutOfRange = input.hasSuffix(":65536")
        #expect(error?.description.contains("the port must be at most 65535") == isOutOfRange)
    }
}
