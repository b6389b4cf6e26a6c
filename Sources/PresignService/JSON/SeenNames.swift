import Bytes

/// The names met so far in one object, compared by their decoded bytes.
struct SeenNames {
    /// Up to this many names a scan is faster than hashing.
    private static let scanned = 16

    private var first = InlineArray<16, FlatText>(repeating: FlatText(range: 0..<0, isDecoded: false))
    private var count = 0
    private var others: Set<[UInt8]> = []

    /// - Parameter reader: the one that found the name, and all before it.
    /// - Returns: false when the name was there already.
    @inline(__always)
    mutating func insert(_ name: FlatText, of reader: some FlatTextSource) -> Bool {
        for index in 0..<count where first[index].range.count == name.range.count {
            let isSame = reader.read(name) { new in reader.read(first[index]) { new.equals($0) } }
            if isSame { return false }
        }
        guard count == Self.scanned else {
            first[count] = name
            count += 1
            return true
        }
        return others.insert(reader.copy(name)).inserted
    }
}

/// Whatever lends the texts it has found.
protocol FlatTextSource {
    func read<Result>(_ text: FlatText, _ body: (Span<UInt8>) -> Result) -> Result
    func copy(_ text: FlatText) -> [UInt8]
}
