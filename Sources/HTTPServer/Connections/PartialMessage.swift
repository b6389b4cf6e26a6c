import HTTP1

/// Input that a connection has not consumed: a request that is incomplete or has to wait, and its parser.
final class PartialMessage {
    var request: HTTPRequest
    var parser: RequestParser
    private var charge: BufferCharge?

    init(request: HTTPRequest, parser: RequestParser) {
        self.request = request
        self.parser = parser
    }

    /// The number of bytes that are received and still needed.
    private var count: Int { request.headers.bytes.count + parser.message.content.count }

    /// The size of the buffers that hold these bytes.
    private var capacity: Int { request.headers.bytes.capacity + parser.message.content.capacity }

    /// Removes the bytes before `start`, which belong to earlier requests.
    func removeFirst(_ start: Int) {
        guard start > 0 else { return }
        request.headers.bytes.removeFirst(start)
        request.headers.base = 0
    }

    /// Removes bytes that the parser no longer needs, and releases unused memory.
    func compact() {
        if let droppable = parser.message.droppable {
            request.headers.bytes.removeSubrange(droppable)
            parser.message.dropped()
        }
        let needed = request.headers.bytes.count + parser.message.missingBody
        guard request.headers.bytes.capacity > max(2 * needed, HTTPLimits.reservedBytes) else { return }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(needed)
        bytes.append(contentsOf: request.headers.bytes)
        request.headers.bytes = bytes
    }

    /// Charges the memory of this message and of the rest of its body, and reserves it. Returns false if the budget
    /// does not allow that.
    func charge(to budget: BufferBudget) -> Bool {
        let size = count + parser.message.missingBody
        let needed = size > HTTPLimits.reservedBytes ? max(size, capacity) : size
        guard budget.update(&charge, to: needed, for: .request) else { return false }
        request.headers.bytes.reserveCapacity(request.headers.bytes.count + parser.message.missingBody)
        return true
    }
}
