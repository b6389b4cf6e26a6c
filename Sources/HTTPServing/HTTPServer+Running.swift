private import CSockets

extension HTTPServer {
    /// Runs a loop on this thread, with the readiness queue that was asked for.
    static func run(
        _ context: LoopContext, _ poller: Poller, _ listeners: [Int32],
        _ transport: LoopTransport, _ control: ServerControl
    ) {
        sockets_block_sigpipe()
        // A loop that interrupts whoever has the processor finds one request; one that waits its turn finds many, and a
        // client or proxy on the same machine does its work in one piece: a quarter less time for each request.
        let waitsTurns = sockets_wait_turns(true)
        defer { if waitsTurns { _ = sockets_wait_turns(false) } }
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
