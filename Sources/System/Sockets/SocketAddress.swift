private import CPlatform

/// An IP address in network byte order: 4 or 16 bytes.
package struct SocketAddress {
    package let bytes: [UInt8]

    /// The address of a literal.
    package init?(_ literal: String) {
        var address = [UInt8](repeating: 0, count: 16)
        // The function writes at most 16 bytes and reads a NUL-terminated copy of the text.
        let length = unsafe address.withUnsafeMutableBufferPointer { buffer in
            unsafe presign_socket_parse_address(literal, buffer.baseAddress)
        }
        guard length > 0 else { return nil }
        bytes = Array(address[..<Int(length)])
    }

    package static func isLiteral(_ text: String) -> Bool { SocketAddress(text) != nil }

    /// A bound socket; with `isShared` others may bind the same port.
    package func bind(port: UInt16, isShared: Bool) throws(SystemError) -> Int32 {
        // The function reads exactly `count` bytes.
        try SystemError.check(
            unsafe bytes.withUnsafeBufferPointer {
                unsafe presign_socket_bind_tcp($0.baseAddress, Int32($0.count), port, isShared)
            })
    }
}
