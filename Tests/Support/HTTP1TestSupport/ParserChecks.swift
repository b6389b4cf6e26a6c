import HTTP1

extension HTTPLimits {
    /// Limits low enough for short inputs to reach them.
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

/// The first difference between parser and naive reader; nil if they agree.
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

/// A position reported by the parser outside of its input; nil if there is none.
func invalidPosition(_ input: [UInt8], _ limits: HTTPLimits) -> String? {
    var parser = RequestParser()
    var fields = FieldTable()
    var step: MessageParser.Step?
    repeat {
        step = try? parser.advance(over: input.span, limits: limits, into: &fields)
        if parser.message.position > input.count { return "more bytes consumed than passed" }
        for index in 0..<(step != nil && parser.message.hasHead ? fields.count : 0) {
            let field = fields[index]
            guard field.name.start < field.name.end, field.value.start <= field.value.end,
                Int(field.value.end) <= input.count
            else { return "a field is empty or outside of the input" }
        }
        parser.message.bodyLimit = limits.bodyBytes
    } while step == .head
    return nil
}
