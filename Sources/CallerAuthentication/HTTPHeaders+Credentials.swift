import HTTP1

extension HTTPHeaders {
    /// Whether there is anything that says who calls.
    package var haveCredentials: Bool { contains(.authorization) || contains(.apiKey) }
}
