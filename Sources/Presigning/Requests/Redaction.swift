// A customer-provided encryption key travels as a signed header, so whatever holds headers shows their names alone.

extension SignedHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names; values are left out.
    public var description: String { "SignedHeaders(\(headers.map(\.name).joined(separator: ", ")))" }
    /// As `description`.
    public var debugDescription: String { description }
    /// The names; values are left out.
    public var customMirror: Mirror { Mirror(self, children: ["names": headers.map(\.name)]) }
}

extension SignedHeaders.Header: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name; the value is left out.
    public var description: String { "\(name): (redacted)" }
    /// As `description`.
    public var debugDescription: String { description }
    /// The name; the value is left out.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension S3Parameters: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names; values are left out.
    public var description: String { "S3Parameters(\((headers + query).map(\.name).joined(separator: ", ")))" }
    /// As `description`.
    public var debugDescription: String { description }
    /// The names; values are left out.
    public var customMirror: Mirror { Mirror(self, children: ["names": (headers + query).map(\.name)]) }
}

extension AWSS3StorageGetURLTask: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Operation, bucket and key; headers are left out.
    public var description: String { "\(operation.name) \(bucket.name)/\(key.text)" }
    /// As `description`.
    public var debugDescription: String { description }
    /// Operation, bucket and key; headers are left out.
    public var customMirror: Mirror {
        Mirror(self, children: ["operation": operation.name, "bucket": bucket.name, "key": key.text])
    }
}

extension Presigner: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says what it is; keys are left out.
    public var description: String { "Presigner" }
    /// As `description`.
    public var debugDescription: String { description }
    /// Empty, so that `dump` shows no keys.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
