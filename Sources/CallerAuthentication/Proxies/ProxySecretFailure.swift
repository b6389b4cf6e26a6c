package import Cryptography
import System
import Text

/// Why a proxy's secret cannot be used. It holds nothing of the secret.
package struct ProxySecretFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file.
    package let file: String
    /// What is wrong, and the mend.
    package let reason: String

    /// Both in one line.
    package var description: String { "auth.proxy.secretFile: \(file): \(reason)" }

    /// The secret that stands in a file, without one line end behind it.
    package static func secret(in file: String, read: (String) throws -> [UInt8]) throws(ProxySecretFailure)
        -> SecretBytes
    {
        let bytes: [UInt8]
        do {
            bytes = IssuerKeys.withoutLineEnd(try read(file))
        } catch {
            throw ProxySecretFailure(file: file, reason: ReadableFile.reason(of: error))
        }
        // What a header can carry without anybody changing it on the way.
        guard 16...1024 ~= bytes.count, bytes.allSatisfy(ASCII.isVisible) else {
            throw ProxySecretFailure(
                file: file,
                reason: "must hold one line of 16 to 1024 visible ASCII characters, as of `openssl rand -hex 32`")
        }
        return SecretBytes(bytes)
    }
}
