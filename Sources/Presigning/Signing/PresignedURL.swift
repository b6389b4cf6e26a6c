/// A URL that allows one request for a limited time, and what its user must know.
///
/// The URL is a bearer secret for as long as it is valid, so descriptions and dumps leave its signature out.
public struct PresignedURL: Sendable {
    /// What made a URL's life shorter than was asked for.
    public enum Limit: String, Sendable, Hashable {
        /// It ends with the temporary credentials that signed it.
        case credentials
    }

    /// The URL in ASCII.
    public let bytes: [UInt8]
    /// As `method`.
    package let methodName: StaticString
    /// The headers to send with it, besides `host`.
    public let headers: [SignedHeaders.Header]
    /// The seconds it is truly valid for.
    public let expiresIn: Int
    /// When it ends.
    public let expiresAt: SigningTime
    /// What shortened `expiresIn`, if anything did.
    public let limitedBy: Limit?

    /// The HTTP method to use it with.
    public var method: String { methodName.description }
    /// The URL as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension PresignedURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and path; the query with its signature is left out.
    public var description: String {
        "\(method) \(String(decoding: bytes.prefix { $0 != 0x3f }, as: UTF8.self)) (signature redacted)"
    }
    /// As `description`.
    public var debugDescription: String { description }
    /// Empty, so that `dump` shows no signature.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
