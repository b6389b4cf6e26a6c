package import Cryptography
import System
import Text

/// The reason why a proxy's secret cannot be used. It contains no part of the secret.
package struct ProxySecretFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path of the secret file.
    package let file: String
    /// What is wrong, and the fix.
    package let reason: String

    /// `auth.proxy.secretFile: FILE: REASON`, one line.
    package var description: String { "auth.proxy.secretFile: \(file): \(reason)" }

    /// Reads the secret in a file, without one line break at its end.
    package static func secret(
        in file: String, read: (String) throws -> [UInt8]
    ) throws(ProxySecretFailure) -> SecretBytes {
        let bytes: [UInt8]
        do {
            bytes = IssuerKeys.withoutLineEnd(try read(file))
        } catch {
            throw ProxySecretFailure(file: file, reason: ReadableFile.reason(of: error))
        }
        // Proxies forward visible ASCII in headers unchanged.
        guard 16...1024 ~= bytes.count, bytes.allSatisfy(ASCII.isVisible) else {
            throw ProxySecretFailure(
                file: file,
                reason: "must contain one line of 16 to 1024 visible ASCII characters; generate it with "
                    + "`openssl rand -hex 32`")
        }
        return SecretBytes(bytes)
    }
}
