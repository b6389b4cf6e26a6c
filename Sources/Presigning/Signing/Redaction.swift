// A signed header can be a customer-provided encryption key, so types that contain headers show only the names.

extension SignedHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names without values.
    public var description: String { "SignedHeaders(\(headers.map(\.name).joined(separator: ", ")))" }
    /// Same as `description`.
    public var debugDescription: String { description }
    /// The names without values.
    public var customMirror: Mirror { Mirror(self, children: ["names": headers.map(\.name)]) }
}

extension SignedHeaders.Header: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name without the value.
    public var description: String { "\(name): (redacted)" }
    /// Same as `description`.
    public var debugDescription: String { description }
    /// The name without the value.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension AWSS3StorageGetURLTask: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Operation, bucket and key, without headers.
    public var description: String { "\(operation.name) \(bucket.name)/\(key.text)" }
    /// Same as `description`.
    public var debugDescription: String { description }
    /// Operation, bucket and key, without headers.
    public var customMirror: Mirror {
        Mirror(self, children: ["operation": operation.name, "bucket": bucket.name, "key": key.text])
    }
}

extension Presigner: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type name only, without keys.
    public var description: String { "Presigner" }
    /// Same as `description`.
    public var debugDescription: String { description }
    /// Empty, so that `dump` shows no keys.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
