/// The options of a ``StorageGetURLRequest`` that are particular to S3.
public struct AWSStorageGetURLOptions: Sendable, Hashable {
    /// Download or upload; download unless said.
    public let method: StorageAccessMethod
    /// The media type an upload must have. It is signed, so S3 refuses another; a download ignores it.
    public let contentType: String?
    /// Whether a download is given only for an object that exists; an upload ignores it.
    public let validateObjectExistence: Bool
    /// Whether the URL names the transfer acceleration endpoint; `nil` leaves it to the bucket's configuration.
    public let useAccelerateEndpoint: Bool?

    /// Collects the options; each has its default.
    public init(
        method: StorageAccessMethod = .get,
        contentType: String? = nil,
        validateObjectExistence: Bool = false,
        useAccelerateEndpoint: Bool? = nil
    ) {
        self.method = method
        self.contentType = contentType
        self.validateObjectExistence = validateObjectExistence
        self.useAccelerateEndpoint = useAccelerateEndpoint
    }
}
