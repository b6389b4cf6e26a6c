import Cryptography
import DataFormats
import HTTPServer
import Logging
import PresignService
import Presigning
import System

extension Serve {
    /// Returns the sockets of socket activation.
    ///
    /// - Throws: a usage failure if `--listen` names another address, a system failure if a socket is unusable.
    static func checked(
        _ sockets: Result<[InheritedSocket], InheritedSocket.Failure>, _ listen: ListenAddress?
    ) throws(CommandFailure) -> [InheritedSocket] {
        do {
            let sockets = try sockets.get()
            guard sockets.isEmpty || listen == nil else {
                throw CommandFailure(
                    .usage, "--listen cannot be combined with socket activation (LISTEN_FDS is set); leave it out")
            }
            return sockets
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.system, "\(error)")
        }
    }

    /// Checks that the limit of open files suffices for the start, because Dispatch traps when it runs out of them.
    static func checkDescriptors(for configuration: ServiceConfiguration) throws(CommandFailure) {
        let loops =
            configuration.server.loops + (configuration.metrics.listen == nil ? 0 : 1)
            + (configuration.local == nil ? 0 : EmbeddedStorage.loops)
        let needed = 4 * loops + 24
        guard let limit = ProcessUsage.descriptorLimit, limit < needed else { return }
        throw CommandFailure(
            .system,
            "the limit of \(limit) open files is too low, presign needs \(needed): raise it (ulimit -n) or lower"
                + " server.loops"
        )
    }
}
