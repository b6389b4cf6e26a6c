/// How long a URL is valid: as long as was asked for, but not beyond the life of the credentials.
struct URLLifetime {
    let seconds: Int
    let limit: PresignedURL.Limit?

    /// - Parameters:
    ///   - expiresIn: seconds, valid.
    ///   - expiration: when the credentials end.
    /// - Throws: `StorageError.authError` for credentials that have expired.
    init(expiresIn: Int, until expiration: SigningTime?, at time: SigningTime) throws(StorageError) {
        guard let expiration else {
            (seconds, limit) = (expiresIn, nil)
            return
        }
        let left = time.seconds(until: expiration)
        guard left >= 1 else {
            throw .authError(
                description: "The credentials ended at \(expiration).",
                recoverySuggestion: "Renew the service's temporary credentials.")
        }
        (seconds, limit) = left < Int64(expiresIn) ? (Int(left), .credentials) : (expiresIn, nil)
    }

    /// Refuses what S3 would refuse: no time at all, and more than seven days.
    static func validate(_ expiresIn: Int) throws(StorageError) {
        guard Presigner.validExpiry.contains(expiresIn) else {
            throw .invalid(
                "expiresIn", "\(expiresIn) is outside 1...604800 seconds.",
                "Ask for 1 second to 7 days (604800 seconds).")
        }
    }
}
