import HTTP1

/// Response bytes that the client has not taken yet.
struct UnsentOutput {
    /// The bytes, of which those before `sent` are sent.
    private(set) var bytes: [UInt8] = []
    private var sent = 0
    private var charge: BufferCharge?

    var isEmpty: Bool { bytes.isEmpty }

    /// The part of `bytes` to be sent.
    var rest: Range<Int> { sent..<bytes.count }

    /// Keeps more bytes; false if the budget does not allow it.
    mutating func append(_ more: ArraySlice<UInt8>, chargedTo budget: BufferBudget) -> Bool {
        let needed = bytes.count + more.count
        guard budget.update(&charge, to: needed, for: .response) else { return false }
        bytes.reserveCapacity(needed)
        bytes.append(contentsOf: more)
        return true
    }

    /// Notes that the client took `count` more bytes.
    mutating func advance(by count: Int) {
        sent += count
        if sent == bytes.count { self = UnsentOutput() }
    }
}
