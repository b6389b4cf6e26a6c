@testable import HTTPServing

/// libFuzzer's entry: the parser against the naive reader, and a connection fed whole and in pieces. The first two
/// bytes choose the manner, the limits and where the rest is cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 2 else { return 0 }
    // libFuzzer's buffer ends where the address sanitizer sees every further read.
    let input = unsafe Array(UnsafeBufferPointer(start: data + 2, count: count - 2))
    let (choice, seed) = unsafe (data[0], data[1])
    let limits = choice & 1 == 0 ? HTTPLimits() : .tight
    if let difference = difference(input, limits) { fatalError(difference) }
    checkSpan(input, limits)
    var random = SplitMix(seed: UInt64(seed))
    let longest = 1 << Int(choice >> 4 & 7)
    let pieces = [(0..<input.count).map { _ in Int.random(in: 1...longest, using: &random) }]
    let manner = ConnectionRun.Manner.allCases[Int(choice >> 1 & 7) % 3]
    do {
        if let fault = try fault(input, pieces: pieces, manner: manner, limits: limits) { fatalError(fault) }
    } catch {
        fatalError("no connection: \(error)")
    }
    return 0
}

/// What the parser says of positions lies within what it was given.
private func checkSpan(_ input: [UInt8], _ limits: HTTPLimits) {
    var parser = RequestParser()
    do {
        while true {
            let step = try parser.advance(over: input.span, limits: limits)
            precondition(parser.position <= input.count, "more consumed than given")
            if parser.hasHead {
                for index in 0..<parser.fields.count {
                    let field = parser.fields[index]
                    precondition(field.name.start < field.name.end && field.value.start <= field.value.end)
                    precondition(Int(field.value.end) <= input.count, "a field beyond the input")
                }
            }
            guard step == .head else { return }
            parser.bodyLimit = limits.bodyBytes
        }
    } catch {
        precondition(parser.position <= input.count, "more consumed than given")
    }
}
