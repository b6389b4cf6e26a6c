/// libFuzzer's entry: the parser against the naive reader, and a connection fed whole and in pieces.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer's buffer holds `count` bytes, and none at all may be no buffer.
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    do {
        if let fault = try fault(ofFuzzed: input) { fatalError(fault) }
    } catch {
        fatalError("no connection: \(error)")
    }
    return 0
}
