import Bytes

/// The names met so far in one object, compared by their decoded bytes.
struct SeenNames {
    /// Up to this many names a scan is faster than hashing.
    private static let scanned = 16

    /// Where the first names stand in the text, of those that stand there as they are.
    private var places = InlineArray<16, Range<UInt32>>(repeating: 0..<0)
    private var placeCount = 0
    private var others: Set<ArraySlice<UInt8>> = []

    /// - Parameters:
    ///   - isPlain: whether the name is a part of the text, and not decoded from one.
    ///   - text: of less than 4 GiB, and always the same.
    /// - Returns: false when the name was there already.
    mutating func insert(_ name: ArraySlice<UInt8>, isPlain: Bool, in text: ArraySlice<UInt8>) -> Bool {
        let (known, new) = (text.span, name.span)
        for index in 0..<placeCount {
            let place = places[index]
            if place.count == new.count, known.extracting(Int(place.lowerBound)..<Int(place.upperBound)).equals(new) {
                return false
            }
        }
        guard isPlain, placeCount < Self.scanned else { return others.insert(name).inserted }
        if !others.isEmpty, others.contains(name) { return false }
        let start = UInt32(name.startIndex - text.startIndex)
        places[placeCount] = start..<(start + UInt32(name.count))
        placeCount += 1
        return true
    }
}
