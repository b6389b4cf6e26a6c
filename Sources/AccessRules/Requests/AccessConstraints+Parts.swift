import Presigning

/// The limits of a multipart upload whose rule has `partSize`.
///
/// No combination of allowed parts is larger than `maxSize`: part n may end at most at `maxSize` if each part before it
/// has `partSize` bytes, and two parts of an object never have the same number.
extension AccessConstraints {
    /// The possible sizes of a part that is not the last one, in bytes (Amazon S3 User Guide, "Amazon S3 multipart
    /// upload limits").
    static let possiblePartSizes = 5 << 20...5 << 30

    /// The possible numbers of parts (same source).
    static let possiblePartNumbers: ClosedRange<Int64> = 1...10_000

    /// Whether the largest number of parts can hold `maxSize`; true if either limit is not set.
    var canReachMaximumSize: Bool {
        guard let maximumSize, let partSize else { return true }
        return maximumSize <= Self.possiblePartNumbers.upperBound * partSize
    }

    /// The limits that a part does not meet; empty for requests other than uploading a part.
    func unmetByPart(of request: AccessRequest) -> [UnmetConstraint] {
        guard request.step == .part, let partSize else { return [] }
        let possible = Self.possiblePartNumbers
        let last = maximumSize.map { min($0 / partSize + 1, possible.upperBound) } ?? possible.upperBound
        guard let number = request.partNumber, possible.lowerBound...last ~= number else {
            return [.partNumber(request.partNumber, maximum: last)]
        }
        let rest = maximumSize.map { $0 - (number - 1) * partSize } ?? partSize
        let maximum = min(partSize, rest)
        guard let length = request.contentLength, 0...maximum ~= length else {
            return [.partLength(request.contentLength, number: number, maximum: maximum)]
        }
        return []
    }
}
