private import CPlatform
import HTTP1
import System
import Text

/// The sockets that one listen address needs: one for each loop, or one for all of them.
struct Listener: Sendable {
    /// The address with its real port.
    let address: ListenAddress
    /// As many as loops; the same one several times if it is shared.
    let descriptors: [Int32]
    /// Somebody else has made it, and goes on listening when we no longer do.
    private let isInherited: Bool

    init(_ address: ListenAddress, loops: Int, backlog: Int32) throws(HTTPServerError) {
        do throws(SystemError) {
            switch address {
            case .tcp(let host, let port):
                (descriptors, self.address) = try Self.bindTCP(host, port, loops)
            case .unix(let path, let mode):
                // The function reads a copy of the path that ends in a zero.
                let descriptor = try SystemError.check(unsafe presign_socket_bind_unix(path, mode))
                descriptors = Array(repeating: descriptor, count: loops)
                self.address = address
            }
            isInherited = false
            do throws(SystemError) {
                for descriptor in Set(descriptors) {
                    _ = try SystemError.check(presign_socket_listen(descriptor, backlog))
                }
            } catch {
                close()
                throw error
            }
        } catch {
            throw HTTPServerError(binding: address, error)
        }
    }

    /// One socket for all loops, which another process has bound and listens on too.
    init(inheriting descriptor: Int32, loops: Int) throws(HTTPServerError) {
        var name = [CChar](repeating: 0, count: Int(PRESIGN_LONGEST_NAME))
        var port: UInt16 = 0
        // The function writes at most so many bytes, the last of them a zero, and the port.
        let family = unsafe name.withUnsafeMutableBufferPointer {
            unsafe presign_socket_adopt(descriptor, $0.baseAddress, &port)
        }
        guard family >= 0 else { throw HTTPServerError(inheriting: descriptor, SystemError(-family)) }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        address = family == 0 ? .unix(path: text, mode: 0) : .tcp(host: text, port: port)
        descriptors = Array(repeating: descriptor, count: loops)
        isInherited = true
    }

    /// Closes the sockets, and removes a Unix socket's file. What was inherited stays open where it came from, with the
    /// connections that wait.
    func close() {
        // The path as in `init`.
        if !isInherited, case .unix(let path, _) = address { _ = unsafe presign_socket_unlink(path) }
        for descriptor in Set(descriptors) { _ = presign_socket_close(descriptor) }
    }

    private static func bindTCP(
        _ host: String, _ port: UInt16, _ loops: Int
    ) throws(SystemError) -> ([Int32], ListenAddress) {
        let hosts = host.isEmpty ? ["::", "0.0.0.0"] : [host == "localhost" ? "127.0.0.1" : host]
        var failure = SystemError(EINVAL)
        for candidate in hosts {
            guard let address = IPAddress(candidate.utf8.span) else { continue }
            do {
                let (descriptors, port) = try bind(address, port, loops)
                return (descriptors, .tcp(host: host, port: port))
            } catch {
                failure = error
                // A machine without IPv6 is no reason not to listen on "every address"; a port in use is.
                guard error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL else { throw error }
            }
        }
        throw failure
    }

    /// Two servers that share a port by mistake would each get half of the requests. So the port is first bound for
    /// ourselves alone, which fails if anyone listens there.
    private static func bind(
        _ address: IPAddress, _ port: UInt16, _ loops: Int
    ) throws(SystemError) -> ([Int32], UInt16) {
        let alone = try address.bind(port: port, isShared: false)
        let bound = UInt16(truncatingIfNeeded: presign_socket_port(alone))
        guard loops > 1 else { return ([alone], bound) }
        _ = presign_socket_close(alone)
        var descriptors: [Int32] = []
        do {
            for _ in 0..<loops { descriptors.append(try address.bind(port: bound, isShared: true)) }
        } catch {
            for descriptor in descriptors { _ = presign_socket_close(descriptor) }
            throw error
        }
        return (descriptors, bound)
    }
}
