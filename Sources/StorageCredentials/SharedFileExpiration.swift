import Presigning

/// When the session token of a profile ends. The AWS SDKs define no key for that, so tools use their own.
enum SharedFileExpiration {
    /// `x_security_token_expires` is saml2aws's key, `aws_expiration` aws-azure-login's, `expiration` aws-mfa's; the
    /// others are in use by several smaller tools.
    private static let names = [
        "x_security_token_expires", "aws_expiration", "aws_session_expiration", "aws_session_token_expiration",
        "aws_credential_expiration", "aws_credentials_expiration", "expiration",
    ]

    /// Returns the earliest of the times that a profile gives; nil if it gives none, or none with its offset from UTC.
    static func time(in settings: [String: String]) -> SigningTime? {
        names.compactMap { settings[$0].flatMap(time) }.min()
    }

    /// Reads RFC 3339, also with a space for the `T`, and the offset without its colon, as some tools write it.
    private static func time(_ text: String) -> SigningTime? {
        var bytes = Array(text.utf8)
        if bytes.count > 10, bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
        if bytes.count > 5, "+-".utf8.contains(bytes[bytes.count - 5]) {
            bytes.insert(UInt8(ascii: ":"), at: bytes.count - 2)
        }
        return SigningTime(rfc3339: String(decoding: bytes, as: UTF8.self))
    }
}
