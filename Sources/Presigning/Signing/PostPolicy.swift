import Cryptography
import Text

/// What an HTML form may upload, and until when: exactly one key, exact values of all fields, and a file within a range
/// of sizes.
///
/// Source: Amazon S3 API reference, "Browser-Based Uploads Using POST (AWS Signature Version 4)".
public struct PostPolicy: Sendable {
    /// The object's key, UTF-8.
    public let key: StoragePath
    /// The bucket and its endpoints.
    public let bucket: S3Bucket
    /// The requested lifetime of the form in seconds, 1...604800.
    public let expiresIn: Int
    /// The sizes in bytes that the file may have.
    public let contentLength: ClosedRange<Int64>
    /// The fields besides those of the key and of the signature, such as `Content-Type`.
    public let fields: [(name: String, value: String)]
    /// Whether to use the transfer acceleration endpoint. `nil` uses the bucket's configuration.
    public let useAccelerateEndpoint: Bool?

    /// Creates a policy. Signing validates it.
    public init(
        key: StoragePath, in bucket: S3Bucket, expiresIn: Int = StorageGetURLRequest.Options.defaultExpires,
        contentLength: ClosedRange<Int64>, fields: [(name: String, value: String)] = [],
        useAccelerateEndpoint: Bool? = nil
    ) {
        self.key = key
        self.bucket = bucket
        self.expiresIn = expiresIn
        self.contentLength = contentLength
        self.fields = fields
        self.useAccelerateEndpoint = useAccelerateEndpoint
    }

    /// Validates the policy and signs a form.
    ///
    /// - Parameters:
    ///   - credentials: the credentials that sign the policy.
    ///   - time: the current time, from which the form is valid.
    ///   - presigner: caches derived signing keys.
    /// - Throws: `StorageError.validation` with the invalid part, and `StorageError.authError` if the credentials have
    ///   expired.
    public func form(
        with credentials: Credentials, at time: SigningTime, using presigner: inout Presigner
    ) throws(StorageError) -> PresignedForm {
        let endpoint = try bucket.endpoint(accelerated: useAccelerateEndpoint)
        try validate()
        let lifetime = try URLLifetime(expiresIn: expiresIn, until: credentials.expiration, at: time)
        let expiresAt = time.advanced(bySeconds: lifetime.seconds)
        let context = presigner.context(for: credentials, endpoint, at: time)
        var fields = [(name: "key", value: key.text)] + self.fields + context.formFields
        let policy = Base64.encode(document(of: fields, until: expiresAt))
        fields.append(("policy", policy))
        fields.append(("x-amz-signature", Hexadecimal.encode(context.signature(ofPolicy: Array(policy.utf8)).bytes)))
        return PresignedForm(
            action: PresignedURL(
                content: FinishedBytes(endpoint.bucketURL), methodName: "POST", headers: [],
                expiresIn: lifetime.seconds,
                expiresAt: expiresAt, stableFor: 0, limitedBy: lifetime.limit),
            fields: fields.map { PresignedForm.Field(name: $0.name, value: $0.value) })
    }
}

extension PostPolicy {
    /// Servers replace this variable in fields by the name of the file, which the client chooses.
    private static let variable = Array("${filename}".utf8)

    /// The fields that signing adds, and the file.
    private static let ownFields: Set<String> = [
        "bucket", "file", "key", "policy", "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-security-token",
        "x-amz-signature",
    ]

    private func validate() throws(StorageError) {
        try URLLifetime.validate(expiresIn)
        guard !key.bytes.isEmpty, (try? UTF8Span(validating: key.bytes.span)) != nil else {
            throw .invalid("path", "It is empty or not UTF-8.", "Use the key of an object, for example photos/cat.jpg.")
        }
        guard !key.bytes.contains(Self.variable) else {
            throw .invalid(
                "path", "It contains ${filename}, which the storage replaces by the name of the file.",
                "Name the exact key.")
        }
        guard contentLength.lowerBound >= 0 else {
            throw .invalid("contentLength", "It is negative.", "Use a number of bytes.")
        }
        var names = Self.ownFields
        for (name, value) in fields {
            guard !name.isEmpty, name.utf8.allSatisfy(ASCII.isToken),
                !name.utf8.span.startsIgnoringCase(with: "x-ignore-")
            else { throw .invalid("fields", "\(name.debugDescription) is not a valid name.", "Use a field of S3.") }
            guard names.insert(HeaderRules.lowercased(name)).inserted else {
                throw .invalid("fields.\(name)", "It is a duplicate, or signing adds it.", "Keep one.")
            }
            let bytes = Array(value.utf8)
            guard !bytes.contains(where: ASCII.isControl), !bytes.contains(Self.variable) else {
                throw .invalid(
                    "fields.\(name)", "Its value contains a control character or ${filename}.", "Use an exact value.")
            }
        }
    }

    /// Returns the policy document: a condition for the bucket, for the size, and for the exact value of each field.
    private func document(of fields: [(name: String, value: String)], until expiration: SigningTime) -> [UInt8] {
        var json = ByteBuffer(capacity: 1024)
        json.append(#"{"expiration":""#)
        expiration.appendRFC3339(to: &json)
        json.append(#"","conditions":["#)
        json.appendCondition("bucket", bucket.name)
        for (name, value) in fields {
            json.append(",")
            json.appendCondition(name, value)
        }
        json.append(#",["content-length-range","#)
        json.append(utf8: "\(contentLength.lowerBound),\(contentLength.upperBound)]]}")
        return json.bytes
    }
}

extension S3Endpoint {
    /// The URL of the bucket: in path style without a slash at the end.
    var bucketURL: [UInt8] {
        parts.origin + (parts.keyPrefix.count > 1 ? Array(parts.keyPrefix.dropLast()) : parts.keyPrefix)
    }
}

extension ByteBuffer {
    /// Appends the condition that a field has exactly this value.
    fileprivate mutating func appendCondition(_ name: String, _ value: String) {
        append("{")
        appendASCII(name)
        append(":")
        appendASCII(value)
        append("}")
    }

    /// Appends a JSON string in ASCII. S3 requires escapes for all other characters ("POST Policy", character escaping).
    private mutating func appendASCII(_ text: String) {
        append(UInt8(ascii: "\""))
        for unit in text.utf16 {
            if let byte = UInt8(exactly: unit), ASCII.isPrintable(byte), byte != UInt8(ascii: "\""),
                byte != UInt8(ascii: "\\")
            {
                append(byte)
            } else {
                append("\\u")
                append(utf8: Hexadecimal.encode([UInt8(unit >> 8), UInt8(unit & 0xff)]))
            }
        }
        append(UInt8(ascii: "\""))
    }
}

/// A signed HTML form that uploads one file.
///
/// While the form is valid, anyone who has its fields can use it. Descriptions and dumps therefore leave them out.
public struct PresignedForm: Sendable {
    /// A field of the form.
    public struct Field: Sendable, Hashable {
        /// The name, for example `Content-Type`. Servers ignore its case.
        public let name: String
        /// The value that the policy requires.
        public let value: String
    }

    /// The method and URL of the form, and its lifetime. The URL contains no signature.
    public let action: PresignedURL
    /// The fields that must precede the file, whose own field is named `file`.
    public let fields: [Field]
}
