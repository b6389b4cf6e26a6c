import Foundation

/// The check that `FUZZ_TARGET` names.
private let check: InputCheck = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let check = InputCheck.named(name) else {
        fatalError("FUZZ_TARGET must be one of \(InputCheck.all.map(\.name).joined(separator: ", "))")
    }
    return check
}()

/// libFuzzer's entry: whatever is given must keep to what must hold.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzService(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer's buffer holds `count` bytes, and none at all may be no buffer.
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    if let fault = check.fault(input) { fatalError("\(check.name): \(fault)") }
    return 0
}

/// The secret of an issuer lives in an enumeration, which marks its case in the pointer's spare bits: the leak sanitizer
/// then does not see who holds it.
@_cdecl("__lsan_default_suppressions")
public func leakSuppressions() -> UnsafePointer<UInt8> {
    // A literal lives as long as the program.
    unsafe ("leak:SecretBytes" as StaticString).utf8Start
}
