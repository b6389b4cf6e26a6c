private import CPlatform
import SystemInterface

extension HTTPServer {
    /// Runs a loop on this thread.
    static func run(
        _ context: LoopContext, _ listeners: [Int32],
        _ transport: LoopTransport, _ control: ServerControl
    ) {
        presign_socket_block_sigpipe()
        do throws(SystemError) {
            var loop = EventLoop(
                queue: try EpollQueue(), context: context, listeners: listeners, transport: transport, control: control)
            loop.run()
        } catch {
            context.mailbox.close()
            control.loopFailed(error)
            control.loopReleasedListeners()
        }
    }
}
