private import CPlatform
import HTTP1
import System

extension HTTPServer {
    /// Runs an event loop on the current thread until it ends.
    package static func run(
        _ context: LoopContext, _ listeners: [Int32],
        _ transport: LoopTransport, _ control: ServerControl
    ) {
        presign_socket_block_sigpipe()
        do throws(SystemError) {
            var loop = EventLoop(
                queue: try EpollQueue(), context: context, listeners: listeners, transport: transport, control: control)
            loop.run()
        } catch {
            context.completions.close()
            control.loopFailed(error)
            control.loopReleasedListeners()
        }
    }
}
