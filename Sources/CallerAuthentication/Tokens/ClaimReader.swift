import DataFormats
import Requests
import Text

/// Reads what the rules compare from the claims of a verified token, and notes what it ignores.
struct ClaimReader {
    let claims: JSONValue
    /// The ignored values, such as "`level` is null".
    private(set) var ignored: [String] = []

    init(_ claims: JSONValue) { self.claims = claims }

    /// The identity, which is matched with a path segment; nil if it is not a valid one.
    mutating func identity(at path: ClaimPath) -> [UInt8]? {
        guard let text = path.identity(in: claims) else { return nil }
        if Caller.isSafeIdentity(text) { return text }
        note(.unsafe, "identity")
        return nil
    }

    /// The groups: the values of an array, or a single one.
    ///
    /// - Parameter separator: The character at which a single string is split. A scope is split at spaces too.
    mutating func groups(at path: ClaimPath, separator: UInt8?) -> [[UInt8]] {
        var groups: [[UInt8]] = []
        let separators = [separator, path.isScope ? ASCII.space : nil].compactMap(\.self)
        if !separators.isEmpty, let text = path.value(in: claims)?.string {
            groups = text.split(whereSeparator: separators.contains).map { Array($0.trimming(ASCII.isBlank)) }
                .filter { !$0.isEmpty }
            if groups.isEmpty { note(.empty, "groups") }
        } else {
            groups = path.values(in: claims).compactMap { text(of: $0, "groups") }
        }
        if groups.count > GroupSeparator.maximumGroups {
            note(.several, "groups")
            groups.removeLast(groups.count - GroupSeparator.maximumGroups)
        }
        return groups
    }

    /// The claim that `{claim.NAME}` matches.
    mutating func claim(_ name: [UInt8], at path: ClaimPath) -> Caller.Claim? {
        guard let value = path.value(in: claims) else { return nil }
        return text(of: value, String(decoding: name, as: UTF8.self)).map { Caller.Claim(name: name, value: $0) }
    }

    private mutating func text(of value: JSONValue, _ name: String) -> [UInt8]? {
        do throws(UnusableClaim) {
            return try value.claimText()
        } catch {
            note(error, name)
            return nil
        }
    }

    private mutating func note(_ reason: UnusableClaim, _ name: String) {
        let text = "`\(name)` \(reason.rawValue)"
        if !ignored.contains(text) { ignored.append(text) }
    }
}
