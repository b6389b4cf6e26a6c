import Cryptography
import DataFormats
import Presigning
import System

/// What a store's credentials are for. A store has credentials for both roles, the same ones unless it names two.
package enum CredentialRole: String, Sendable, CaseIterable {
    /// Reads objects, the existence check included.
    case read
    /// Changes the bucket; lists the parts of an upload that is under way.
    case write
}

/// One value for each role.
package struct PerRole<Value: Sendable>: Sendable {
    package let read: Value
    package let write: Value

    /// Two values, which may be the same.
    package init(read: Value, write: Value) {
        self.read = read
        self.write = write
    }

    /// The same value for both roles.
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

extension AWSS3SigningOperation {
    /// Which credentials sign it.
    package var credentialRole: CredentialRole {
        switch self {
        case .getObject, .headObject: .read
        case .putObject, .deleteObject, .createMultipartUpload, .uploadPart, .listParts, .completeMultipartUpload,
            .abortMultipartUpload:
            .write
        }
    }
}
