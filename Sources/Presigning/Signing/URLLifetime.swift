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
                "expiresIn", "It must be 1 to 604800 seconds (7 days), but is \(expiresIn).",
                "Request 1 to 604800 seconds.")
        }
    }
}

/// The windows of cache-stable URLs: all downloads of an object that are signed within one window get the same URL.
///
/// A window begins at a multiple of its length since 1970-01-01T00:00:00Z, so that all processes agree on it. A URL is
/// signed with the start of its window, and lives for the window longer than requested.
package enum URLWindow {
    /// The lengths of windows in seconds. 0 means none: URLs are signed with the current time.
    package static let possible = 0...(Presigner.validExpiry.upperBound - 1)

    /// Returns the window, shortened so that window and lifetime together do not exceed 7 days.
    ///
    /// - Parameters:
    ///   - window: seconds, in `possible`.
    ///   - lifetime: the requested lifetime in seconds.
    package static func fitting(_ window: Int, lifetime: Int) -> Int {
        max(min(window, Presigner.validExpiry.upperBound - lifetime), 0)
    }

    /// Returns the start of the window that contains the time; the time itself without a window.
    static func start(of window: Int, at time: SigningTime) -> SigningTime {
        guard window > 0 else { return time }
        return SigningTime(secondsSince1970: time.secondsSince1970 - time.secondsSince1970 % Int64(window))
    }

    /// Checks a window.
    ///
    /// - Throws: `StorageError.validation` for a window outside `possible`.
    static func validate(_ window: Int) throws(StorageError) {
        guard possible.contains(window) else {
            throw .invalid(
                "window", "It must be 0 to \(possible.upperBound) seconds, but is \(window).",
                "Use a window within this range, or 0 for none.")
        }
    }
}
