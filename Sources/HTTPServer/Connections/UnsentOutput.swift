import HTTP1

/// Response bytes that the socket has not taken yet.
struct UnsentOutput {
    /// The output; the bytes before `sent` are already sent.
    private(set) var bytes: [UInt8] = []
    private var sent = 0
    private var charge: BufferCharge?

    var isEmpty: Bool { bytes.isEmpty }

    /// The part of `bytes` that is not sent yet.
    var rest: Range<Int> { sent..<bytes.count }

    /// Keeps more bytes. Returns false if the budget does not allow that.
    mutating func append(_ more: ArraySlice<UInt8>, chargedTo budget: BufferBudget) -> Bool {
        let needed = bytes.count + more.count
        guard budget.update(&charge, to: needed, for: .response) else { return false }
        bytes.reserveCapacity(needed)
        bytes.append(contentsOf: more)
        return true
    }

    /// Records that `count` more bytes were sent.
    mutating func advance(by count: Int) {
        sent += count
        if sent == bytes.count { self = UnsentOutput() }
    }
}
