private import CSockets

extension HTTPServer {
    /// Runs a loop on this thread, with the readiness queue that was asked for.
    static func run(
        _ context: LoopContext, _ poller: Poller, _ listeners: [Int32],
        _ transport: LoopTransport, _ control: ServerControl
    ) {
        sockets_block_sigpipe()
        do throws(SystemError) {
            switch poller {
            case .poll:
                run(PollQueue(), context, listeners, transport, control)
            case .epoll:
                run(try EpollQueue(), context, listeners, transport, control)
            case .best:
                #if os(Linux)
                    run(try EpollQueue(), context, listeners, transport, control)
                #else
                    run(PollQueue(), context, listeners, transport, control)
                #endif
            }
        } catch {
            context.mailbox.close()
            control.loopFailed(error)
            control.loopReleasedListeners()
        }
    }

    private static func run<Queue: ReadinessQueue & ~Copyable>(
        _ queue: consuming Queue, _ context: LoopContext, _ listeners: [Int32],
        _ transport: LoopTransport, _ control: ServerControl
    ) {
        var loop = EventLoop(
            queue: queue, context: context, listeners: listeners, transport: transport, control: control)
        loop.run()
    }
}
