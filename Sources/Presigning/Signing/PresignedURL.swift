package import Text

/// A URL that allows one S3 operation for a limited time, with the method and headers to use.
///
/// While the URL is valid, anyone who has it can use it. Descriptions and dumps therefore leave out its signature.
public struct PresignedURL: Sendable {
    /// The reason why a URL is valid for less time than requested.
    public enum Limit: String, Sendable, Hashable {
        /// The URL expires with the temporary credentials that signed it.
        case credentials
    }

    /// The URL in ASCII, without a copy.
    package let content: FinishedBytes
    /// The HTTP method as a static string.
    package let methodName: StaticString
    /// The headers that the client must send, without `host`.
    public let headers: [SignedHeaders.Header]
    /// The actual lifetime in seconds from the time of the request. See `limitedBy`.
    public let expiresIn: Int
    /// The time when the URL expires.
    public let expiresAt: SigningTime
    /// The seconds for which the same request gets the same URL; 0 without a window.
    public let stableFor: Int
    /// The reason why `expiresIn` is less than requested, or `nil` if it is not.
    public let limitedBy: Limit?

    /// The URL in ASCII.
    public var bytes: [UInt8] { content.array }
    /// The HTTP method that the client must use.
    public var method: String { methodName.description }
    /// The URL as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
