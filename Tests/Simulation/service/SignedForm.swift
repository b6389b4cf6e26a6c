import Cryptography
import Foundation
import Presigning

/// The fields of a form with a POST policy, checked as a storage does (Amazon S3 API reference, "Browser-Based Uploads
/// Using POST (AWS Signature Version 4)").
struct SignedForm {
    private let fields: [String: String]
    private let policy: [String: Any]

    init(_ fields: [String: String]) {
        self.fields = fields
        let document = Data(base64Encoded: fields["policy"] ?? "") ?? Data()
        policy = (try? JSONSerialization.jsonObject(with: document) as? [String: Any]) ?? [:]
    }

    /// The sizes that the policy allows; nil without a range.
    var sizes: ClosedRange<Int64>? {
        let ranges = conditions.compactMap { $0 as? [Any] }.filter { $0.first as? String == "content-length-range" }
        guard ranges.count == 1, ranges[0].count == 3, let least = (ranges[0][1] as? NSNumber)?.int64Value,
            let most = (ranges[0][2] as? NSNumber)?.int64Value, least <= most
        else { return nil }
        return least...most
    }

    private var conditions: [Any] { policy["conditions"] as? [Any] ?? [] }

    /// What is wrong with the form.
    func complaint(until end: SigningTime, _ url: IssuedURL) -> String? {
        guard policy["expiration"] as? String == end.rfc3339Text else { return "its policy ends at another time" }
        var exact: [String: String] = [:]
        for case let pair as [String: String] in conditions { exact.merge(pair) { first, _ in first } }
        for (name, value) in fields where !["policy", "x-amz-signature"].contains(name) {
            guard exact[name] == value else { return "its policy leaves \(name) to the client" }
        }
        guard sizes != nil else { return "its policy does not limit the size" }
        let secret = url.credentials.credentials.secretAccessKey
        return signature(secret) == fields["x-amz-signature"] ? nil : "its signature is not valid"
    }

    private func signature(_ secret: SecretBytes) -> String {
        let scope = (fields["x-amz-credential"] ?? "").split(separator: "/").map(String.init)
        var code = Array("AWS4".utf8) + secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        for part in scope.dropFirst() + [fields["policy"] ?? ""] {
            code = HMACSHA256(key: code).authenticationCode(for: Array(part.utf8)).bytes
        }
        return code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
