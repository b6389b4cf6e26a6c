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
