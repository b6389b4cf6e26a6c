@testable import DataFormats

/// Compares the form reader with a second one that splits and decodes strings.
enum FormCheck {
    static func fault(in input: [UInt8]) -> String? {
        let expected = naive(input)
        let fields = try? FormReader.fields(of: input[...])
        let found = fields?.map { [$0.name, $0.value] }
        return found == expected ? nil : "the readers differ: \(String(describing: found))"
    }

    /// Names and values; nil if the body is invalid.
    private static func naive(_ body: [UInt8]) -> [[[UInt8]]]? {
        if body.isEmpty { return [] }
        var fields: [[[UInt8]]] = []
        for field in body.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = decoded(parts[0]), let value = decoded(parts[1]), !name.isEmpty,
                !fields.contains(where: { $0[0] == name }), fields.count < 64
            else { return nil }
            fields.append([name, value])
        }
        return fields
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        let parts = text.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
            .split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        var bytes = Array(parts[0])
        for part in parts.dropFirst() {
            let digits = String(decoding: part.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit),
                let byte = UInt8(digits, radix: 16)
            else {
                return nil
            }
            bytes += [byte] + part.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self) == nil ? nil : bytes
    }
}
