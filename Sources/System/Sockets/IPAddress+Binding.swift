private import CPlatform
package import Text

extension IPAddress {
    /// Binds a TCP socket to this address.
    ///
    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - isShared: whether other sockets with this option may bind the same port.
    /// - Returns: the socket's descriptor; the caller closes it.
    package func bind(port: UInt16, isShared: Bool) throws(SystemError) -> Int32 {
        // unsafe: the call reads exactly `count` bytes.
        try SystemError.check(
            unsafe octets.withUnsafeBufferPointer {
                unsafe presign_socket_bind_tcp($0.baseAddress, Int32($0.count), port, isShared)
            })
    }
}
