package import Presigning

/// A value for each role.
package struct PerRole<Value: Sendable>: Sendable {
    package let read: Value
    package let write: Value

    /// Creates a pair of values, which may be equal.
    package init(read: Value, write: Value) {
        self.read = read
        self.write = write
    }

    /// Creates a pair with the same value for both roles.
    package init(both value: Value) { self.init(read: value, write: value) }

    package subscript(role: CredentialRole) -> Value {
        switch role {
        case .read: read
        case .write: write
        }
    }

    package func map<Other, Failure>(_ transform: (Value) throws(Failure) -> Other) throws(Failure) -> PerRole<Other> {
        PerRole<Other>(read: try transform(read), write: try transform(write))
    }
}

extension PerRole: Equatable where Value: Equatable {}
