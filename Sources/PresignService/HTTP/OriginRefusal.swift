import HTTP1
import Synchronization
import System

/// Why a web page may not read the response to its request, and how to allow it.
package struct OriginRefusal: Sendable {
    /// The page's origin as sent, at most 256 bytes.
    package let origin: String
    /// What is wrong, for the response.
    package let detail: String
    /// How to allow the origin, for the operator: it lists the configured origins.
    package let recoverySuggestion: String

    /// Checks the origin of a request; nil if its page may read the response, if the page belongs to the service itself,
    /// and without `Origin`, which only browsers send.
    init?(of request: HTTPRequest, under policy: CORSPolicy) {
        guard let origin = request.headers.first(.origin), !policy.allows(origin) else { return nil }
        let parsed = WebOrigin(origin)
        if let parsed, let host = request.headers.first(.host), parsed.isServed(at: host) { return nil }
        self.init(origin.prefix(256), parsed, policy)
    }

    private init(_ bytes: ArraySlice<UInt8>, _ parsed: WebOrigin?, _ policy: CORSPolicy) {
        origin = String(decoding: bytes, as: UTF8.self)
        if let mistake = CORSPolicy.mistake(in: origin) {
            detail = "the origin \(origin) cannot be allowed; \(mistake)"
            recoverySuggestion = "Serve the page over http or https."
            return
        }
        let problem = "the origin \(origin) is not in cors.origins"
        if let other = parsed?.underOtherName, policy.isListed(other) {
            detail = problem + "; open the page at \(String(decoding: other, as: UTF8.self)), which is"
        } else {
            detail = problem
        }
        let list = (policy.texts + [origin]).map { "\"\($0)\"" }.joined(separator: ", ")
        recoverySuggestion =
            "Add it to the configuration: `cors: {origins: [\(list)]}`; without a file, start with "
            + "`--cors-origin \(origin)`."
    }
}

/// Reports each refused origin at most once a minute, and at most 16 origins a minute, because any client can send any
/// `Origin`.
package final class RefusedOriginLog: Sendable {
    private static let capacity = 16
    private static let period: Int64 = 60_000_000_000

    /// When each origin was reported.
    private let reported = Mutex<[String: MonotonicTime]>([:])
    private let write: @Sendable (_ origin: String, _ text: String) -> Void

    /// - Parameter write: writes one report to the diagnostics.
    package init(write: @escaping @Sendable (_ origin: String, _ text: String) -> Void) { self.write = write }

    /// Reports a refused origin, unless it or too many others were reported within the last minute.
    func report(_ refusal: OriginRefusal, at now: MonotonicTime) {
        let isDue = reported.withLock { reported in
            if let last = reported[refusal.origin], Self.isRecent(last, at: now) { return false }
            reported = reported.filter { Self.isRecent($0.value, at: now) }
            guard reported.count < Self.capacity else { return false }
            reported[refusal.origin] = now
            return true
        }
        if isDue { write(refusal.origin, "\(refusal.detail). \(refusal.recoverySuggestion)") }
    }

    private static func isRecent(_ time: MonotonicTime, at now: MonotonicTime) -> Bool {
        now.nanoseconds - time.nanoseconds < period
    }
}
