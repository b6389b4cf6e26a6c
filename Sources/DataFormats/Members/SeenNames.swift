import Text

/// The names met so far in one object, compared by their decoded bytes.
package struct SeenNames: ~Copyable {
    /// Up to this many names a scan is faster than hashing.
    private static let scanned = 16

    private var first = InlineArray<16, FlatText>(repeating: FlatText(0..<0, isDecoded: false))
    private var count = 0
    private var others: Set<[UInt8]> = []

    /// None so far.
    package init() {}

    /// - Parameters:
    ///   - text: where the name, and all before it, were found.
    ///   - decoded: what was decoded of it.
    /// - Returns: false when the name was there already.
    @inline(__always)
    package mutating func insert(_ name: FlatText, _ text: Span<UInt8>, _ decoded: [UInt8]) -> Bool {
        for index in 0..<count where first[index].count == name.count {
            let isSame = name.read(text, decoded) { new in first[index].read(text, decoded) { new.equals($0) } }
            if isSame { return false }
        }
        guard count == Self.scanned else {
            first[count] = name
            count += 1
            return true
        }
        return others.insert(name.copy(text, decoded)).inserted
    }
}
