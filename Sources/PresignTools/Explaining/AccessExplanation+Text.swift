import AccessRules
import DataFormats

extension AccessExplanation {
    /// Returns the explanation as text, in lines without control characters.
    ///
    /// - Parameter verdict: the verdict on the same request.
    package func lines(_ verdict: RuleVerdict) -> [String] {
        let reason = verdict.reason ?? (verdict.fields.isEmpty ? nil : verdict.fields.joined(separator: ", "))
        var lines = [
            "\(verdict.isAllowed ? "allowed" : "refused") (\(verdict.status))" + (reason.map { ": \($0)" } ?? "")
        ]
        if case .denied(let denial) = decision, case .path(let refusal) = denial.reason {
            lines.append("  path    \(refusal.description). \(refusal.recoverySuggestion)")
        }
        if verdict.reason == RuleVerdict.noGuests.reason {
            lines.append("  caller  a guest, but `auth.guest` is not true; otherwise the rules decide:")
        }
        if verdict.reason == RuleVerdict.noKey.reason {
            lines.append("  caller  an API key that is disabled; otherwise the rules decide:")
        }
        lines += denials.map { "  deny    \($0)" }
        if let rule {
            lines.append("  rule    \(rule)" + (denials.isEmpty ? "" : ", overridden by the denial"))
            lines += grants.map(\.line)
        } else if !isDeniedByPath {
            lines.append("  rule    no rule of this store matches")
        }
        lines += lessSpecific.map { "  less    \($0) also matches, but is less specific" }
        if let expiresIn = verdict.expiresIn { lines.append("  URL     expires after \(expiresIn) s") }
        if verdict.ifNoneMatch == true {
            lines.append(
                "  URL     signs if-none-match: *" + (isForWholeUpload ? ", when the upload is completed" : ""))
        }
        lines += verdict.addedHeaders.map { name, value in
            "  URL     signs \(name): \(value)" + (isForWholeUpload ? ", when the upload is created" : "")
        }
        if let note = verdict.note { lines.append("  note    \(note)") }
        return lines.map(\.printable)
    }

    private var isDeniedByPath: Bool {
        if case .denied(let denial) = decision, case .path = denial.reason { true } else { false }
    }
}

extension AccessExplanation.Grant {
    fileprivate var line: String {
        let start = "    \(allows ? "yes" : "no ")  \(grantee.text) (\(grantee.position)): \(actions.names)"
        if let obstacle { return "\(start); \(obstacle)" }
        return unmet.isEmpty ? start : "\(start); \(unmet.joined(separator: "; "))"
    }
}

extension String {
    /// The text with each control character replaced by its code point, such as U+7F.
    package var printable: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            let isControl = scalar.value < 0x20 || scalar.value == 0x7F || scalar.isInvisibleControl
            text += isControl ? "U+" + String(scalar.value, radix: 16, uppercase: true) : String(scalar)
        }
    }
}
