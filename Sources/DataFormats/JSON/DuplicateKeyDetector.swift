/// Finds the second of two equal names of an object, compared by their decoded bytes.
struct DuplicateKeyDetector {
    /// Most objects have few names. For them a scan is faster than hashing, which keeps large objects linear.
    private static let scanned = 16

    private var first: [[UInt8]] = []
    private var others: Set<[UInt8]> = []

    /// Returns false if the name was inserted before.
    mutating func insert(_ name: [UInt8]) -> Bool {
        if first.contains(name) { return false }
        guard first.count == Self.scanned else {
            first.append(name)
            return true
        }
        return others.insert(name).inserted
    }
}
