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
        "Invalid listen addresses are rejected with a message that names them",
        arguments: [
            "", "8080", "::1:8080", "a.example:80", "1.2.3.4:65536", "1.2.3.4:+1", "1.2.3.4:", "[1.2.3.4]:80", "unix:",
        ])
    func unreadableAddress(_ input: String) {
        let error = #expect(throws: ListenAddressError.self) { try ListenAddress.parse(input) }
        #expect(error?.description.contains("'\(input)'") == true)
    }
}
