import Presigning

/// The expiration of a profile's session token. The AWS SDKs define no key for it, so every tool uses its own.
enum SharedFileExpiration {
    /// `x_security_token_expires` is the key of saml2aws, `aws_expiration` of aws-azure-login, `expiration` of aws-mfa.
    /// Smaller tools use the others.
    private static let names = [
        "x_security_token_expires", "aws_expiration", "aws_session_expiration", "aws_session_token_expiration",
        "aws_credential_expiration", "aws_credentials_expiration", "expiration",
    ]

    /// Returns the earliest expiration in a profile, or nil if it has none. Times without a UTC offset are ignored.
    static func time(in settings: [String: String]) -> SigningTime? {
        names.compactMap { settings[$0].flatMap(time) }.min()
    }

    /// Parses RFC 3339, and the variants of some tools: a space instead of the `T`, an offset without the colon.
    private static func time(_ text: String) -> SigningTime? {
        var bytes = Array(text.utf8)
        if bytes.count > 10, bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
        if bytes.count > 5, "+-".utf8.contains(bytes[bytes.count - 5]) {
            bytes.insert(UInt8(ascii: ":"), at: bytes.count - 2)
        }
        return SigningTime(rfc3339: String(decoding: bytes, as: UTF8.self))
    }
}
