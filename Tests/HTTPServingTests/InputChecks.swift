@testable import HTTPServing

extension HTTPLimits {
    /// Limits that short inputs reach.
    static var tight: HTTPLimits {
        var limits = HTTPLimits()
        limits.requestLine = 20
        limits.headerBytes = 80
        limits.headerCount = 3
        limits.bodyBytes = 12
        limits.trailerBytes = 16
        return limits
    }
}

/// Where parser and naive reader differ, or nil.
func difference(_ input: [UInt8], _ limits: HTTPLimits) -> String? {
    var requests = events(input, limits: limits)
    var refusal: Int?
    if case .failure(let failure)? = requests.last {
        refusal = failure.status
        requests.removeLast()
    }
    let naive = NaiveReader.read(input, limits: limits)
    guard requests != naive.requests || refusal != naive.refusal else { return nil }
    return "\(text(input).debugDescription): \(requests) \(refusal ?? 0), but \(naive.requests) \(naive.refusal ?? 0)"
}

/// Runs `input` whole and in `pieces`; what differs, or breaks a rule that holds for every input.
func fault(
    _ input: [UInt8], pieces: [[Int]], manner: ConnectionRun.Manner, limits: HTTPLimits
) throws -> String? {
    let whole = try ConnectionRun(input, manner: manner, limits: limits)
    if let fault = whole.fault { return "\(text(input).debugDescription): \(fault)" }
    // Whether 100 (Continue) is sent, and a refusal closes, rests by design on what had come with the head.
    if text(input).lowercased().contains("expect") { return nil }
    // So does whether a refusal can say that the chunks behind it end the connection.
    let mayBeUnsaid = manner == .refuses && text(input).lowercased().contains("chunked")
    for piece in pieces {
        let split = try ConnectionRun(input, pieces: piece, manner: manner, limits: limits)
        if split != whole, !mayBeUnsaid || split != whole.withoutClose {
            return "\(text(input).debugDescription) cut at \(piece): \(split), but \(whole)"
        }
    }
    return nil
}
