import TestSupport

@testable import HTTP1
@testable import HTTP1TestSupport

/// Runs `input` whole and in `pieces`. Returns how the results differ, or the violated property.
func fault(
    _ input: [UInt8], pieces: [[Int]], bodyHandling: ConnectionRun.BodyHandling, limits: HTTPLimits
) throws -> String? {
    let whole = try ConnectionRun(input, bodyHandling: bodyHandling, limits: limits)
    if let fault = whole.fault { return "\(text(input).debugDescription): \(fault)" }
    // Whether 100 (Continue) is sent and whether a rejection closes depends by design on what arrived with the head.
    if text(input).lowercased().contains("expect") { return nil }
    // The same applies to whether a rejection can announce that the chunks behind it end the connection.
    let mayDiffer = bodyHandling == .refuses && text(input).lowercased().contains("chunked")
    for piece in pieces {
        let split = try ConnectionRun(input, pieces: piece, bodyHandling: bodyHandling, limits: limits)
        if split != whole, !mayDiffer || split != whole.withoutClose {
            return "\(text(input).debugDescription) cut at \(piece): \(split), but \(whole)"
        }
    }
    return nil
}

/// Describes what is wrong with a fuzzer input; nil if nothing is. Its first two bytes select the handler's decision,
/// the limits and where the rest is split.
func fault(ofFuzzed data: [UInt8]) throws -> String? {
    guard data.count > 2 else { return nil }
    let (choice, seed, input) = (data[0], data[1], Array(data[2...]))
    let limits = choice & 1 == 0 ? HTTPLimits() : .tight
    if let fault = difference(input, limits) ?? invalidPosition(input, limits) { return fault }
    var random = SeededGenerator(seed: UInt64(seed))
    let longest = 1 << Int(choice >> 4 & 7)
    let pieces = [(0..<input.count).map { _ in Int.random(in: 1...longest, using: &random) }]
    let bodyHandling = ConnectionRun.BodyHandling.allCases[Int(choice >> 1 & 7) % 3]
    return try fault(input, pieces: pieces, bodyHandling: bodyHandling, limits: limits)
}
