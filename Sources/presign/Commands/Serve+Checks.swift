import Cryptography
import DataFormats
import HTTPServer
import Logging
import PresignService
import Presigning
import System

extension Serve {
    /// The sockets of socket activation, which leave no place for another address.
    static func checked(
        _ sockets: Result<[InheritedSocket], InheritedSocket.Failure>, _ listen: String?
    ) throws(CommandFailure) -> [InheritedSocket] {
        do {
            let sockets = try sockets.get()
            guard sockets.isEmpty || listen == nil else {
                throw CommandFailure(
                    .usage, "--listen: the service was started with sockets to listen on (LISTEN_FDS); leave it out")
            }
            return sockets
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.system, "\(error)")
        }
    }

    /// Checks that the process may open the descriptors that a start needs: Dispatch traps when it has none left.
    static func checkDescriptors(for configuration: ServiceConfiguration) throws(CommandFailure) {
        let loops =
            configuration.server.loops + (configuration.metrics.listen == nil ? 0 : 1)
            + (configuration.local == nil ? 0 : EmbeddedStorage.loops)
        let needed = 4 * loops + 24
        guard let limit = ProcessUsage.descriptorLimit, limit < needed else { return }
        throw CommandFailure(
            .system,
            "the process may open \(limit) files and needs \(needed): raise the limit (ulimit -n), or lower server.loops"
        )
    }
}
