private import Synchronization

/// The right to answer one request later, from any thread, once. Dropping it uncompleted answers 500.
public final class HTTPDeferral: Sendable {
    private let mailbox: Mailbox
    /// The ticket of the connection that waits, or 0 when there is nothing to answer.
    private let ticket = Atomic<UInt64>(0)

    init(mailbox: Mailbox) { self.mailbox = mailbox }

    deinit {
        let waiting = ticket.load(ordering: .acquiring)
        if waiting != 0 { mailbox.post(Mailbox.Letter(ticket: waiting, response: nil)) }
    }

    /// Answers the request. Only the first call counts; none does after the handler itself returned a response.
    public func complete(with response: HTTPResponse) {
        let waiting = ticket.exchange(0, ordering: .acquiringAndReleasing)
        if waiting != 0 { mailbox.post(Mailbox.Letter(ticket: waiting, response: response)) }
    }

    /// Stands for the connection with this ticket from now on.
    func arm(_ ticket: UInt64) { self.ticket.store(ticket, ordering: .releasing) }

    /// Makes later completions count for nothing; false if there was one already.
    func disarm() -> Bool { ticket.exchange(0, ordering: .acquiringAndReleasing) != 0 }
}
