import Requests

@testable import AccessRules
@testable import CallerAuthentication
@testable import DataFormats
@testable import System
@testable import Text

/// Feeds a token to the verifier, or a key file to its reader. The first byte selects which.
enum ForgedTokenCheck {
    static func fault(in data: [UInt8]) -> String? {
        guard data.count > 1 else { return nil }
        let input = Array(data[1...])
        return switch data[0] % 4 {
        case 0: tokenFault(input)
        case 1: claimsFault(input)
        case 2: keysFault(.keySet, input)
        default: keysFault(.pem, input)
        }
    }

    /// No signing key is ever used, so no input is a valid token, and no input has two interpretations.
    private static func tokenFault(_ input: [UInt8]) -> String? {
        do throws(TokenRefusal) {
            _ = try FuzzedIssuer.verifier.caller(for: input.span, from: .unix, at: FuzzedIssuer.now)
            return "a forged token was accepted"
        } catch {
            guard error != .notThreeParts, error != .tooLong, error != .notBase64URL else { return nil }
            let parts = input.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count == 3 else { return "not three parts" }
            for part in parts {
                guard let bytes = Base64.decode(part.span, .url) else { return "a part is not valid base64url" }
                guard FuzzedIssuer.base64URL(bytes) == Array(part) else { return "two encodings of the same bytes" }
            }
            return nil
        }
    }

    /// Feeds claims as if they were signed. Accepted claims must have a plausible time and a safe identity.
    private static func claimsFault(_ input: [UInt8]) -> String? {
        guard let claims = try? JSONValue(parsing: input), case .object = claims else { return nil }
        guard let header = try? TokenHeader(Array(#"{"alg":"HS256"}"#.utf8)) else { return "no header" }
        let check = TokenCheck(configuration: FuzzedIssuer.issuer.configuration, header: header, claims: claims)
        guard let validity = try? check.validity(at: FuzzedIssuer.now) else { return nil }
        guard validity.contains(FuzzedIssuer.now), validity.upperBound <= 253_402_300_799 + 60 else {
            return "an implausible time"
        }
        let caller = FuzzedIssuer.issuer.caller(header, claims)
        if let identity = caller.identity {
            let isSafe = !identity.isEmpty && !identity.contains(UInt8(ascii: "/"))
            guard isSafe, ObjectKeyCheck.refusal(of: identity) == nil else { return "an unsafe identity" }
        }
        guard caller.groups.allSatisfy({ !$0.isEmpty }), caller.claims.allSatisfy({ !$0.value.isEmpty }) else {
            return "an empty group or claim"
        }
        if case .string? = claims["realm_access"]?["roles"], caller.groups.contains(where: { $0.contains(ASCII.comma) })
        {
            return "a group with a separator"
        }
        guard caller.groups.count <= 1000, caller.ignored.count <= 7 else { return "too many groups or notes" }
        return nil
    }

    /// Accepted keys must have unique names, and warnings must be printable.
    private static func keysFault(_ format: TokenIssuerConfiguration.Keys.Format, _ input: [UInt8]) -> String? {
        guard let keys = try? IssuerKeys(of: FuzzedIssuer.configuration(format), read: { _ in input }) else {
            return nil
        }
        if Set(keys.keyIDs).count != keys.keyIDs.count { return "two keys with the same id" }
        let isText = keys.warnings.allSatisfy { $0.utf8.allSatisfy { 0x20...0x7E ~= $0 } }
        return isText ? nil : "a warning that is no text"
    }
}
