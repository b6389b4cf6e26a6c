import Requests

@testable import AccessRules

/// Compares the key validation with a second statement of its contract: it rejects every path that an HTTP client or
/// proxy could rewrite, and nothing else.
enum PathCheck {
    static func fault(in input: [UInt8]) -> String? {
        let refusal = ObjectKeyCheck.refusal(of: input)
        let expected = isAcceptable(input)
        guard (refusal == nil) == expected else {
            return "\(String(describing: refusal)), but it should be \(expected)"
        }
        return nil
    }

    private static func isAcceptable(_ key: [UInt8]) -> Bool {
        guard 1...1024 ~= key.count, let text = String(validating: key, as: UTF8.self),
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F || $0 == "\\" }),
            !segments(key).contains([])
        else { return false }
        let once = decoded(key)
        return [key, once, decoded(once)].allSatisfy { path in
            !segments(path).contains { $0 == [0x2E] || $0 == [0x2E, 0x2E] }
        }
    }

    private static func segments(_ path: [UInt8]) -> [ArraySlice<UInt8>] {
        path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    }

    /// Decodes once from left to right. A sequence that a decoded byte forms with its neighbours is left for the next
    /// round.
    private static func decoded(_ path: [UInt8]) -> [UInt8] {
        guard let percent = path.firstIndex(of: UInt8(ascii: "%")) else { return path }
        var result = Array(path[..<percent])
        var rest = path[percent...]
        while let first = rest.first {
            let digits = String(decoding: rest.dropFirst().prefix(2), as: UTF8.self)
            if first == UInt8(ascii: "%"), digits.utf8.count == 2,
                digits.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit),
                let byte = UInt8(digits, radix: 16)
            {
                result.append(byte)
                rest = rest.dropFirst(3)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}
