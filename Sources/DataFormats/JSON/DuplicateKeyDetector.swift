/// Detects duplicate names in an object by their decoded bytes.
struct DuplicateKeyDetector {
    /// The number of names that are searched linearly, which is faster than hashing. The rest are hashed, so that large
    /// objects take linear time.
    private static let linearCapacity = 16

    private var first: [ArraySlice<UInt8>] = []
    private var others: Set<ArraySlice<UInt8>> = []

    /// Inserts a name. Returns false if it is a duplicate.
    mutating func insert(_ name: ArraySlice<UInt8>) -> Bool {
        if first.contains(name) { return false }
        guard first.count == Self.linearCapacity else {
            if first.isEmpty { first.reserveCapacity(Self.linearCapacity) }
            first.append(name)
            return true
        }
        return others.insert(name).inserted
    }
}
