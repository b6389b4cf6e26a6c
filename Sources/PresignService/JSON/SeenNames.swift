/// The names met so far in one object, compared by their decoded bytes.
struct SeenNames {
    /// Up to this many names a scan of the array is faster than hashing.
    private static let scanned = 16

    private var few: [ArraySlice<UInt8>] = []
    private var many: Set<ArraySlice<UInt8>> = []

    /// - Returns: false when the name was there already.
    mutating func insert(_ name: ArraySlice<UInt8>) -> Bool {
        if few.contains(name) { return false }
        if few.count < Self.scanned {
            few.append(name)
            return true
        }
        return many.insert(name).inserted
    }
}
