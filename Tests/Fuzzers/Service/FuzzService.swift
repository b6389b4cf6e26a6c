import Foundation

/// The check that `FUZZ_TARGET` names.
private let check: InputCheck = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let check = InputCheck.named(name) else {
        fatalError("FUZZ_TARGET must be one of \(InputCheck.all.map(\.name).joined(separator: ", "))")
    }
    return check
}()

/// libFuzzer's entry point: every input must pass the check.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzService(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer's buffer holds `count` bytes; for an empty input it may be null.
    let input = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    if let fault = check.fault(input) { fatalError("\(check.name): \(fault)") }
    return 0
}

/// An issuer's secret is the payload of an enumeration that marks its case in the pointer's spare bits, so the leak
/// sanitizer does not find the reference to it.
@_cdecl("__lsan_default_suppressions")
public func leakSuppressions() -> UnsafePointer<UInt8> {
    // A literal lives as long as the program.
    unsafe ("leak:SecretBytes" as StaticString).utf8Start
}
