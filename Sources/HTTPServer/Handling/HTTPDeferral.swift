package import HTTP1
private import Synchronization
import System

/// The right to answer one request later, from any thread, once. Dropping it uncompleted answers 500.
package final class HTTPDeferral: Sendable {
    private let mailbox: Mailbox
    private let buffers: BufferBudget
    /// The ticket of the connection that waits, or 0 when there is nothing to answer.
    private let ticket = Atomic<UInt64>(0)
    private let waiting = Mutex<WaitingRequest?>(nil)

    package init(mailbox: Mailbox, buffers: BufferBudget) {
        self.mailbox = mailbox
        self.buffers = buffers
    }

    deinit {
        let waiting = ticket.load(ordering: .acquiring)
        if waiting != 0 { mailbox.post(Mailbox.Letter(ticket: waiting, response: nil)) }
    }

    /// Answers the request. Only the first call counts; none does after the handler itself returned a response.
    package func complete(with response: HTTPResponse) {
        let waiting = ticket.exchange(0, ordering: .acquiringAndReleasing)
        if waiting != 0 { mailbox.post(Mailbox.Letter(ticket: waiting, response: response)) }
    }

    /// Charges memory that the request needs until it is answered; nil if that exceeds `HTTPLimits.bufferedBytes`, and the
    /// response should be that to `HTTPFailure.buffersFull`.
    package func charge(_ bytes: Int) -> BufferCharge? { buffers.charge(bytes, for: .response) }

    /// Says who answers if the request fails: if no answer comes in time, or none can come any more. That is asked once at
    /// most, on the request's loop, and in place of the handler, as it may know the request, which the server does not
    /// keep. It must not keep the deferral. Only a handler that defers the request may call this, and before it returns.
    ///
    /// - Parameter respond: gives nil when the answer is just being completed, which then is waited for.
    package func otherwise(_ respond: @escaping @Sendable (HTTPFailure) -> HTTPResponse?) {
        let request = WaitingRequest(respond: respond)
        waiting.withLock { $0 = request }
    }

    /// Gives up what `otherwise` was told.
    package func takeWaiting() -> WaitingRequest? { waiting.withLock { $0.take() } }

    /// Stands for the connection with this ticket from now on.
    func arm(_ ticket: UInt64) { self.ticket.store(ticket, ordering: .releasing) }

    /// Makes later completions count for nothing; false if there was one already.
    func disarm() -> Bool { ticket.exchange(0, ordering: .acquiringAndReleasing) != 0 }
}
