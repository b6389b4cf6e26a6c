extension Caller {
    /// A verified token, for the audit log. Decisions use the caller's identity, groups and claims instead.
    package struct Token: Sendable, Equatable {
        /// The name of the issuer's entry in the configuration.
        package let issuerName: String
        /// Its `iss`.
        package let issuer: [UInt8]
        /// Its `sub`, if that is a string.
        package let subject: [UInt8]?
        /// The `kid` of its header.
        package let keyID: [UInt8]?
        /// Its `jti`, if that is a string.
        package let tokenID: [UInt8]?
        /// Its `exp`, in seconds since 1970.
        package let expiry: Int64

        package init(
            issuerName: String, issuer: [UInt8], subject: [UInt8]?, keyID: [UInt8]?, tokenID: [UInt8]?, expiry: Int64
        ) {
            self.issuerName = issuerName
            self.issuer = issuer
            self.subject = subject
            self.keyID = keyID
            self.tokenID = tokenID
            self.expiry = expiry
        }
    }

    /// The approximate memory use in bytes.
    package var footprint: Int {
        let texts = [identity, token?.subject, token?.keyID, token?.tokenID].compactMap { $0?.count }
        let sizes = texts + groups.map(\.count) + claims.map { $0.name.count + $0.value.count }
        // 64 bytes per array for its header and the allocator's overhead.
        return 256 + sizes.reduce(0, +) + 64 * (sizes.count + claims.count)
    }
}
