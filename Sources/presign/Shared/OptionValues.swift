public import ArgumentParser
public import Presigning

/// A duration on the command line.
enum DurationOption {
    /// Returns `900`, `90s`, `15m`, `12h` or `7d` in seconds, at most 7 days.
    static func seconds(_ text: String) throws(ValidationError) -> Int64 {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let (number, unit) = number(text, units), number <= Int64(Presigner.validExpiry.upperBound) / unit else {
            throw ValidationError("it must be a duration such as 900, 90s, 15m, 12h or 7d, at most 7 days")
        }
        return number * unit
    }
}

/// The size of the parts of a multipart upload on the command line.
enum PartSizeOption {
    /// Bytes.
    static let standard: Int64 = 8 << 20

    /// Returns `8388608`, `8192k`, `8m` or `1g` in bytes.
    static func bytes(_ text: String) throws(ValidationError) -> Int64 {
        let units: [Character: Int64] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
        let valid = S3Limits.partSizes
        guard let (number, unit) = number(text, units), number <= valid.upperBound, valid ~= Int(number * unit) else {
            throw ValidationError("it must be a size from 5m to 5g, such as 8388608 or 8m")
        }
        return number * unit
    }
}

/// Splits a decimal number and a unit; the unit is 1 if it is omitted. Returns nil for anything else.
private func number(_ text: String, _ units: [Character: Int64]) -> (number: Int64, unit: Int64)? {
    let unit = text.last.flatMap { units[$0] }
    let digits = unit == nil ? Substring(text) : text.dropLast()
    guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let number = Int64(digits) else {
        return nil
    }
    return (number, unit ?? 1)
}

extension AccessAction: ExpressibleByArgument {
    package init?(argument: String) {
        guard let action = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = action
    }

    package static var allValueStrings: [String] { allCases.map(\.name) }
}

extension MultipartStep: ExpressibleByArgument {}

extension S3EndpointOptions.Addressing: ExpressibleByArgument {}

extension CompletionKind {
    /// Completes YAML files.
    static var yaml: CompletionKind { .file(extensions: ["yaml", "yml"]) }
}
