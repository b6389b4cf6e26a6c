/// libFuzzer's entry point: compares the parser with the naive reader, and a connection fed at once with one fed in
/// pieces.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer's buffer holds `count` bytes; for an empty input it may be null.
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    do {
        if let fault = try fault(ofFuzzed: input) { fatalError(fault) }
    } catch {
        fatalError("no connection: \(error)")
    }
    return 0
}
