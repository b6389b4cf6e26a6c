package import HTTP1
private import Synchronization
import System

/// The right to respond to one request later, from any thread, once. Dropping it uncompleted responds with 500.
package final class HTTPDeferral: Sendable {
    private let completions: CompletionQueue
    private let buffers: BufferBudget
    /// The ticket of the connection that waits; 0 once nothing is to come any more.
    private let ticket: Atomic<UInt64>

    package init(ticket: UInt64, completions: CompletionQueue, buffers: BufferBudget) {
        self.ticket = Atomic(ticket)
        self.completions = completions
        self.buffers = buffers
    }

    deinit { post(nil) }

    /// Responds to the request. Only the first call counts; none does after the responder itself returned a response.
    package func complete(with response: HTTPResponse) { post(response) }

    /// Charges memory that the request needs until it has its response; nil if that exceeds
    /// `HTTPLimits.bufferedBytes`, and the response should be that to `HTTPFailure.buffersFull`.
    package func charge(_ bytes: Int) -> BufferCharge? { buffers.charge(bytes, for: .response) }

    /// Makes later completions count for nothing.
    func cancel() { ticket.store(0, ordering: .releasing) }

    private func post(_ response: HTTPResponse?) {
        let waiting = ticket.exchange(0, ordering: .acquiringAndReleasing)
        if waiting != 0 { completions.post(CompletionQueue.Completion(ticket: waiting, response: response)) }
    }
}
