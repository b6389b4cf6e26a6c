import HTTP1
import System

extension Connection {
    /// What happens when the deadline has passed; `isWriting` if answers still wait for the client to take them.
    mutating func expire(isWriting: Bool, _ context: inout LoopContext) {
        switch (phase, stage) {
        case (.reading, .head) where !isWriting:
            failPartial(.headerTimeout, &context)
        case (.reading, .body) where !isWriting:
            failPartial(.bodyTimeout, &context)
        case (.deferred, _):
            failDeferred(&context)
        default:
            // Idle, no reader for an answer, or lingering for too long: there is nothing left to say.
            phase = .closed
        }
    }

    /// Says why a request of which only the beginning came is not waited for any more.
    mutating func failPartial(_ failure: HTTPFailure, _ context: inout LoopContext) {
        guard let partial else { return fail(failure, of: HTTPFailedRequest(from: peer), &context) }
        partial.request.received = lastActive
        let message = partial.request.headers.bytes[...]
        let known = known(of: partial.request, partial.parser, message, failure)
        fail(failure, of: known, isAnswered: isAnswered, omitsBody: Self.isHEAD(message), &context)
    }

    /// No response came. It closes: a completion that still comes must find no later request of this connection.
    private mutating func failDeferred(_ context: inout LoopContext) {
        let failed = HTTPFailedRequest(from: peer)
        guard let response = context.response(to: .answerTimeout, of: failed, from: responder) else {
            // It is just being completed.
            deadline = context.now + context.deadlines.answer
            return
        }
        end(with: response, omitsBody: form.omitsBody, &context)
    }

    /// The server shuts down. A connection that was busy a moment ago may have a request on its way, and gets a moment
    /// for it, as does one for the rest of a body that nobody wants; one that has been idle is closed.
    mutating func drain(_ context: borrowing LoopContext) {
        guard owesNothing else { return }
        let grace = context.deadlines.drainGrace
        if isIdle, lastActive + grace <= context.now {
            phase = .closed
        } else {
            deadline = min(deadline, context.now + grace)
        }
    }

    /// The client does not take its answers: they wait, from now on not for ever. While an answer is still to come it is
    /// that which is waited for, and which then waits in turn.
    mutating func awaitWriting(_ context: borrowing LoopContext) {
        guard phase != .deferred else { return }
        deadline = context.now + context.deadlines.write
    }

    /// The client took them after all.
    mutating func finishedWaiting(_ context: borrowing LoopContext) {
        guard phase == .reading else { return }
        deadline =
            switch stage {
            case .idle: context.now + context.idleTimeout
            case .head: context.now + context.deadlines.header
            case .body: context.now + context.deadlines.body
            }
    }
}
