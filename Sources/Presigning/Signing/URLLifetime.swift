/// The actual lifetime of a URL: the requested one, limited by the expiration of the credentials.
struct URLLifetime {
    /// The time that is signed: the current time, or the start of its window.
    let start: SigningTime
    /// The seconds from `start` until the URL expires, which are signed.
    let signed: Int
    /// The seconds from the current time until the URL expires.
    let seconds: Int
    /// The seconds for which the same request gets the same URL; 0 without a window.
    let stable: Int
    let limit: PresignedURL.Limit?

    /// Limits the requested lifetime to the remaining lifetime of the credentials.
    ///
    /// - Parameters:
    ///   - expiresIn: the requested lifetime in seconds, already validated.
    ///   - window: the window in seconds that `expiresIn` allows; 0 for none.
    ///   - expiration: the time when the credentials expire, or `nil` if they do not.
    /// - Throws: `StorageError.authError` if the credentials have expired.
    init(
        expiresIn: Int, window: Int = 0, until expiration: SigningTime?, at time: SigningTime
    ) throws(StorageError) {
        start = URLWindow.start(of: window, at: time)
        let elapsed = Int(start.seconds(until: time))
        let longest = expiresIn + window - elapsed
        guard let expiration else {
            (seconds, signed, stable, limit) = (longest, longest + elapsed, window - elapsed, nil)
            return
        }
        let remaining = time.seconds(until: expiration)
        guard remaining >= 1 else {
            throw .authError(
                description: "The credentials expired at \(expiration).",
                recoverySuggestion: "Renew the service's temporary credentials.")
        }
        seconds = Int(min(remaining, Int64(longest)))
        signed = seconds + elapsed
        stable = min(window - elapsed, seconds)
        limit = remaining < Int64(expiresIn) ? .credentials : nil
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
