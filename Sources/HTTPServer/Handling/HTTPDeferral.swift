package import HTTP1
private import Synchronization
import System

/// The right to respond once to a request, later and from any thread. Releasing it uncompleted responds with 500.
package final class HTTPDeferral: Sendable {
    private let completions: CompletionQueue
    private let buffers: BufferBudget
    /// The ticket of the waiting connection; 0 once the deferral is completed or cancelled.
    private let ticket: Atomic<UInt64>

    package init(ticket: UInt64, completions: CompletionQueue, buffers: BufferBudget) {
        self.ticket = Atomic(ticket)
        self.completions = completions
        self.buffers = buffers
    }

    deinit { post(nil) }

    /// Responds to the request. Later calls have no effect, nor has any call after the responder returned a response.
    package func complete(with response: HTTPResponse) { post(response) }

    /// Charges memory that the request needs until it has its response. Returns nil if that exceeds
    /// `HTTPLimits.bufferedBytes`; respond as to `HTTPFailure.buffersFull` then.
    package func charge(_ bytes: Int) -> BufferCharge? { buffers.charge(bytes, for: .response) }

    /// Makes later completions have no effect.
    func cancel() { ticket.store(0, ordering: .releasing) }

    private func post(_ response: HTTPResponse?) {
        let waiting = ticket.exchange(0, ordering: .acquiringAndReleasing)
        if waiting != 0 { completions.post(CompletionQueue.Completion(ticket: waiting, response: response)) }
    }
}
