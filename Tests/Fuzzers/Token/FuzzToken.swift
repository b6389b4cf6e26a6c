@testable import PresignService

/// libFuzzer's entry: a token before the verifier, and files of keys before their readers. The first byte chooses.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzToken(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    // libFuzzer's buffer ends where the address sanitizer sees every further read.
    let input = unsafe Array(UnsafeBufferPointer(start: data + 1, count: count - 1))
    switch unsafe data[0] % 4 {
    case 0: checkToken(input)
    case 1: checkClaims(input)
    case 2: checkKeys(.keySet(file: "f"), input)
    default: checkKeys(.pem(file: "f"), input)
    }
    return 0
}

/// Nobody can sign with a key that is never used, so no input is a valid token; and no text has two readings.
private func checkToken(_ input: [UInt8]) {
    do throws(TokenRefusal) {
        _ = try FuzzedIssuer.verifier.caller(for: input.span, at: FuzzedIssuer.now)
        fatalError("a forged token was taken")
    } catch {
        guard error != .notThreeParts, error != .tooLong, error != .notBase64URL else { return }
        let parts = input.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        precondition(parts.count == 3, "not three parts")
        for part in parts {
            guard let bytes = Base64URL.decode(part.span) else { fatalError("a part that cannot be decoded") }
            precondition(FuzzedIssuer.base64URL(bytes) == Array(part), "two texts for the same bytes")
        }
    }
}

/// Claims as if they were signed: whatever is taken has a sane time and a safe identity.
private func checkClaims(_ input: [UInt8]) {
    guard let claims = try? JSONValue(parsing: input), case .object = claims else { return }
    guard let header = try? TokenHeader(Array(#"{"alg":"HS256"}"#.utf8)) else { fatalError("no header") }
    let check = TokenCheck(configuration: FuzzedIssuer.issuer.configuration, header: header, claims: claims)
    guard let validity = try? check.validity(at: FuzzedIssuer.now) else { return }
    precondition(validity.contains(FuzzedIssuer.now) && validity.upperBound <= 253_402_300_799 + 60, "a wrong time")
    let caller = FuzzedIssuer.issuer.caller(header, claims)
    if let identity = caller.identity {
        precondition(!identity.isEmpty && !identity.contains(UInt8(ascii: "/")), "an unsafe identity")
        precondition(ObjectKeyCheck.refusal(of: identity) == nil, "an unsafe identity")
    }
    precondition(caller.groups.allSatisfy { !$0.isEmpty } && caller.claims.allSatisfy { !$0.value.isEmpty })
}

/// Whatever keys are read, some are there, and each is named or warned of.
private func checkKeys(_ source: TokenIssuerConfiguration.Keys, _ input: [UInt8]) {
    guard let keys = try? IssuerKeys(of: FuzzedIssuer.configuration(source), read: { _ in input }) else { return }
    precondition(Set(keys.keyIDs).count == keys.keyIDs.count, "two keys of one name")
    precondition(keys.warnings.allSatisfy { $0.utf8.allSatisfy { 0x20...0x7E ~= $0 } }, "a warning that is no text")
}

/// The issuer's secret lives in an enumeration, which marks its case in the pointer's spare bits: the leak sanitizer then
/// does not see who holds it.
@_cdecl("__lsan_default_suppressions")
public func leakSuppressions() -> UnsafePointer<UInt8> {
    unsafe ("leak:SecretBytes" as StaticString).utf8Start
}
