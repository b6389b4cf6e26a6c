private import CPlatform
import HTTP1
import System
import Text

/// The listening sockets of one address: one for each loop, or one that all loops share.
struct Listener: Sendable {
    /// The address with its actual port.
    let address: ListenAddress
    /// One socket for each loop, or the same one for all.
    let sockets: [Socket]
    /// Whether another process created the socket. That process may listen on it after this one has closed it.
    private let isInherited: Bool

    init(_ address: ListenAddress, loops: Int, backlog: Int32) throws(HTTPServerError) {
        do throws(SystemError) {
            switch address {
            case .tcp(let host, let port):
                (sockets, self.address) = try Self.bindTCP(host, port, loops)
            case .unix(let path, let mode):
                // The function reads a NUL-terminated copy of the path, which outlives the call.
                let socket = Socket(owning: try SystemError.check(unsafe presign_socket_bind_unix(path, mode)))
                sockets = Array(repeating: socket, count: loops)
                self.address = address
            }
            isInherited = false
            do throws(SystemError) {
                // Repeating the call for a shared socket changes nothing.
                for socket in sockets { _ = try SystemError.check(presign_socket_listen(socket.descriptor, backlog)) }
            } catch {
                removeFile()
                throw error
            }
        } catch {
            throw HTTPServerError(binding: address, error)
        }
    }

    /// Takes ownership of a listening socket that another process has bound; all loops share it.
    init(inheriting descriptor: Int32, loops: Int) throws(HTTPServerError) {
        var name = [CChar](repeating: 0, count: Int(PRESIGN_LONGEST_NAME))
        var port: UInt16 = 0
        // The function writes the port and at most PRESIGN_LONGEST_NAME bytes, including the terminating NUL.
        let family = unsafe name.withUnsafeMutableBufferPointer {
            unsafe presign_socket_adopt(descriptor, $0.baseAddress, &port)
        }
        guard family >= 0 else { throw HTTPServerError(inheriting: descriptor, SystemError(-family)) }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        address = family == 0 ? .unix(path: text, mode: 0) : .tcp(host: text, port: port)
        sockets = Array(repeating: Socket(owning: descriptor), count: loops)
        isInherited = true
    }

    /// Removes the file of a Unix socket. That of an inherited one belongs to the process that created it.
    func removeFile() {
        // The function reads a NUL-terminated copy of the path, which outlives the call.
        if !isInherited, case .unix(let path, _) = address { _ = unsafe presign_socket_unlink(path) }
    }

    private static func bindTCP(
        _ host: String, _ port: UInt16, _ loops: Int
    ) throws(SystemError) -> ([Socket], ListenAddress) {
        let hosts = host.isEmpty ? ["::", "0.0.0.0"] : [host == "localhost" ? "127.0.0.1" : host]
        var failure = SystemError(EINVAL)
        for candidate in hosts {
            guard let address = IPAddress(candidate.utf8.span) else { continue }
            do {
                let (sockets, port) = try bind(address, port, loops)
                return (sockets, .tcp(host: host, port: port))
            } catch {
                failure = error
                // Without IPv6, an empty host still binds 0.0.0.0. Any other error, such as a port in use, is final.
                guard error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL else { throw error }
            }
        }
        throw failure
    }

    /// Binds one socket for each loop. It first binds the port exclusively, which fails if another process listens on
    /// it; otherwise two servers could share the port by mistake and each get half of the connections.
    private static func bind(
        _ address: IPAddress, _ port: UInt16, _ loops: Int
    ) throws(SystemError) -> ([Socket], UInt16) {
        var exclusive: Socket? = try Socket.bound(to: address, port: port, isShared: false)
        let bound = UInt16(truncatingIfNeeded: exclusive.map { presign_socket_port($0.descriptor) } ?? 0)
        if loops == 1, let exclusive { return ([exclusive], bound) }
        exclusive = nil
        let sockets = try (0..<loops).map { _ throws(SystemError) in
            try Socket.bound(to: address, port: bound, isShared: true)
        }
        return (sockets, bound)
    }
}
