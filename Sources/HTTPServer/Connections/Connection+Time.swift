import HTTP1
import System

extension Connection {
    /// Handles the end of the deadline.
    ///
    /// - Parameter isWriting: whether responses still wait for the client to read them.
    package mutating func expire(isWriting: Bool, _ context: inout LoopContext) {
        switch (phase, stage) {
        case (.reading, .head) where !isWriting:
            failPartial(.headerTimeout, &context)
        case (.reading, .body) where !isWriting:
            failPartial(.bodyTimeout, &context)
        case (.deferred, _):
            failDeferred(&context)
        default:
            // Idle, lingering, or not reading its responses: the client gets no further response.
            phase = .closed
        }
    }

    /// Responds to an incomplete request that the server does not wait for any longer.
    mutating func failPartial(_ failure: HTTPFailure, _ context: inout LoopContext) {
        guard let partial else { return fail(failure, of: HTTPFailedRequest(from: peer), &context) }
        partial.request.received = lastActive
        let message = partial.request.headers.bytes[...]
        let known = known(of: partial.request, partial.parser, message, failure)
        fail(failure, of: known, hasResponse: hasResponse, omitsBody: Self.isHEAD(message), &context)
    }

    /// Responds to a request whose deferred response did not arrive in time. The connection must close, so that a late
    /// completion cannot be taken for the response to a later request.
    private mutating func failDeferred(_ context: inout LoopContext) {
        let failed = HTTPFailedRequest(from: peer)
        guard let response = context.response(to: .responseTimeout, of: failed, from: responder) else {
            // Another thread is completing the response right now.
            deadline = context.now + context.deadlines.response
            return
        }
        end(with: response, omitsBody: form.omitsBody, &context)
    }

    /// Prepares for shutdown. An idle connection is closed, unless it was active within `drainGrace`: its next request
    /// may be on the way, so it gets that time. So does the rest of a refused request's body.
    mutating func drain(_ context: LoopContext) {
        guard owesNothing else { return }
        let grace = context.deadlines.drainGrace
        if isIdle, lastActive + grace <= context.now {
            phase = .closed
        } else {
            deadline = min(deadline, context.now + grace)
        }
    }

    /// Starts the write timeout, because the client does not read its responses. While a deferred response is pending,
    /// its own timeout applies instead.
    mutating func awaitWriting(_ context: LoopContext) {
        guard phase != .deferred else { return }
        deadline = context.now + context.deadlines.write
    }

    /// Restores the timeout of the current stage after the client has read its responses.
    mutating func finishedWaiting(_ context: LoopContext) {
        guard phase == .reading else { return }
        deadline =
            switch stage {
            case .idle: context.now + context.idleTimeout
            case .head: context.now + context.deadlines.header
            case .body: context.now + context.deadlines.body
            }
    }
}
