/// The actual lifetime of a URL: the requested one, limited by the expiration of the credentials.
struct URLLifetime {
    let seconds: Int
    let limit: PresignedURL.Limit?

    /// Limits the requested lifetime to the remaining lifetime of the credentials.
    ///
    /// - Parameters:
    ///   - expiresIn: the requested lifetime in seconds, already validated.
    ///   - expiration: the time when the credentials expire, or `nil` if they do not.
    /// - Throws: `StorageError.authError` if the credentials have expired.
    init(expiresIn: Int, until expiration: SigningTime?, at time: SigningTime) throws(StorageError) {
        guard let expiration else {
            (seconds, limit) = (expiresIn, nil)
            return
        }
        let remaining = time.seconds(until: expiration)
        guard remaining >= 1 else {
            throw .authError(
                description: "The credentials expired at \(expiration).",
                recoverySuggestion: "Renew the service's temporary credentials.")
        }
        (seconds, limit) = remaining < Int64(expiresIn) ? (Int(remaining), .credentials) : (expiresIn, nil)
    }

    /// Checks that S3 accepts a requested lifetime.
    ///
    /// - Throws: `StorageError.validation` for a lifetime outside `Presigner.validExpiry`.
    static func validate(_ expiresIn: Int) throws(StorageError) {
        guard Presigner.validExpiry.contains(expiresIn) else {
            throw .invalid(
                "expiresIn", "\(expiresIn) seconds is not between 1 and 604800 (7 days).",
                "Request a lifetime within this range.")
        }
    }
}
