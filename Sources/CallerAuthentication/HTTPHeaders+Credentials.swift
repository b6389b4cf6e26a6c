import HTTP1

extension HTTPHeaders {
    /// Whether there is an `Authorization` or `X-API-Key` header.
    package var haveCredentials: Bool { contains(.authorization) || contains(.apiKey) }
}
