private import Glibc
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
                sockets = Array(repeating: try Socket.bound(toPath: path, mode: mode), count: loops)
                self.address = address
            }
            isInherited = false
            do throws(SystemError) {
                // Repeating the call for a shared socket changes nothing.
                for socket in sockets { try socket.listen(backlog: backlog) }
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
        do throws(SystemError) {
            let (socket, name, port) = try Socket.adopted(descriptor)
            address = port.map { ListenAddress.tcp(host: name, port: $0) } ?? .unix(path: name, mode: 0)
            sockets = Array(repeating: socket, count: loops)
            isInherited = true
        } catch {
            throw HTTPServerError(inheriting: descriptor, error)
        }
    }

    /// Removes the file of a Unix socket. That of an inherited one belongs to the process that created it.
    func removeFile() {
        if !isInherited, case .unix(let path, _) = address { Socket.removeFile(at: path) }
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
        let bound = exclusive?.port ?? 0
        if loops == 1, let exclusive { return ([exclusive], bound) }
        exclusive = nil
        let sockets = try (0..<loops).map { _ throws(SystemError) in
            try Socket.bound(to: address, port: bound, isShared: true)
        }
        return (sockets, bound)
    }
}
