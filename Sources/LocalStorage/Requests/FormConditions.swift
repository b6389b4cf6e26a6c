import DataFormats
import Presigning
import Text

/// The document of a POST policy: until when a form is valid, and what it may contain.
///
/// Source: Amazon S3 API reference, "POST Policy".
struct FormConditions: Sendable {
    private enum Operator: String {
        case equal = "eq"
        case prefix = "starts-with"
    }

    /// What one field must be. The name is in lower case.
    private struct Condition {
        let match: Operator
        let name: [UInt8]
        let value: [UInt8]
    }

    /// The fields that need no condition, besides those that start with `x-ignore-`.
    private static let exempt = ["policy", "x-amz-signature", "file"]

    private let expiration: SigningTime
    private let conditions: [Condition]
    /// The sizes that the file may have, in bytes.
    let minimum: Int64
    let maximum: Int64

    /// - Parameter policy: the document in Base64.
    init(policy: [UInt8]) throws(S3Error) {
        let limits = JSONLimits(size: FormParser.maximumFieldBytes)
        guard let text = Base64.decode(policy.span), let document = try? JSONValue(parsing: text, limits: limits),
            let expiration = document["expiration"]?.string.flatMap({
                SigningTime(rfc3339: String(decoding: $0, as: UTF8.self))
            }), case .array(let items)? = document["conditions"]
        else { throw Self.invalid("it needs an expiration and conditions") }
        self.expiration = expiration
        var conditions: [Condition] = []
        var (minimum, maximum): (Int64, Int64) = (0, Int64(S3Limits.upload))
        for item in items {
            if let range = Self.range(item) {
                (minimum, maximum) = (max(minimum, range.0), min(maximum, range.1))
            } else {
                conditions.append(try Self.condition(item))
            }
        }
        self.conditions = conditions
        (self.minimum, self.maximum) = (minimum, maximum)
    }

    /// Returns the bounds of `["content-length-range", minimum, maximum]`; nil for any other condition.
    private static func range(_ item: JSONValue) -> (Int64, Int64)? {
        guard case .array(let parts) = item, parts.count == 3,
            parts[0].string.map({ $0.span.equalsIgnoringCase("content-length-range") }) ?? false,
            let minimum = parts[1].integer, let maximum = parts[2].integer
        else { return nil }
        return (minimum, maximum)
    }

    /// Returns the condition `{"field": "value"}` or `["operator", "$field", "value"]`.
    private static func condition(_ item: JSONValue) throws(S3Error) -> Condition {
        switch item {
        case .object(let members):
            guard let member = members.first, members.count == 1 else {
                throw invalid("a condition in braces must have exactly one field")
            }
            guard let value = member.value.string else { throw invalid("a value is not a string") }
            return Condition(match: .equal, name: ASCII.lowercased(member.name), value: value)
        case .array(let parts) where parts.count == 3:
            let texts = parts.compactMap(\.string)
            guard texts.count == 3, texts[1].first == UInt8(ascii: "$"),
                let match = Operator(rawValue: String(decoding: ASCII.lowercased(texts[0]), as: UTF8.self))
            else { throw invalid("a condition is unknown") }
            return Condition(match: match, name: ASCII.lowercased(texts[1].dropFirst()), value: texts[2])
        default: throw invalid("a condition is unknown")
        }
    }

    /// Throws unless the policy is valid now, every condition on fields holds, and every field has a condition.
    func check(_ form: PostForm, to bucket: [UInt8], at time: SigningTime) throws(S3Error) {
        guard time < expiration else { throw Self.refused("Policy expired.") }
        for condition in conditions {
            let isBucket = condition.name.elementsEqual("bucket".utf8)
            let given = isBucket ? bucket : form[String(decoding: condition.name, as: UTF8.self)] ?? []
            let holds = condition.match == .equal ? given == condition.value : given.starts(with: condition.value)
            guard holds, !isBucket || form["bucket"] ?? bucket == bucket else { throw Self.failed(condition) }
        }
        for (name, _) in form.fields
        where !Self.exempt.contains(where: { name.elementsEqual($0.utf8) }) && !name.starts(with: "x-ignore-".utf8) {
            guard conditions.contains(where: { $0.name == name }) else {
                throw Self.refused("Extra input fields: \(String(decoding: name, as: UTF8.self))")
            }
        }
    }

    private static func failed(_ condition: Condition) -> S3Error {
        let name = String(decoding: condition.name, as: UTF8.self)
        let value = String(decoding: condition.value, as: UTF8.self)
        return refused(
            "Policy Condition failed: [\"\(condition.match.rawValue)\", \"$\(name)\", \"\(value)\"]")
    }

    private static func refused(_ reason: String) -> S3Error {
        S3Error(403, "AccessDenied", "Invalid according to Policy: \(reason)")
    }

    private static func invalid(_ reason: String) -> S3Error {
        S3Error(400, "InvalidPolicyDocument", "The content of the form does not meet the policy's format: \(reason).")
    }
}
