import Presigning
import StorageCredentials
import System

/// Everything that was current, in order.
struct Timeline {
    /// A point in it: a request that begins here may see whatever was current from then on.
    struct Position {
        let epoch, wall: Int
        let uptime: MonotonicTime
    }

    private(set) var epochs: [Epoch]
    /// The times of the wall clock.
    private(set) var walls: [SigningTime]
    /// All credentials that ever existed, by access key id.
    var issued: [String: IssuedCredentials] = [:]
    /// The end of the last pause of the machine.
    var resumed = MonotonicTime(nanoseconds: 0)

    init(_ epoch: Epoch, at wall: SigningTime) { (epochs, walls) = ([epoch], [wall]) }

    var current: Epoch { epochs[epochs.count - 1] }

    mutating func append(_ epoch: Epoch) { epochs.append(epoch) }

    mutating func append(_ wall: SigningTime) { if walls.last != wall { walls.append(wall) } }

    func position(at uptime: MonotonicTime) -> Position {
        Position(epoch: epochs.count - 1, wall: walls.count - 1, uptime: uptime)
    }

    /// What a request may have seen that began at this position.
    func window(since start: Position?) -> Window {
        let start = start ?? Position(epoch: 0, wall: 0, uptime: MonotonicTime(nanoseconds: 0))
        return Window(
            epochs: epochs[start.epoch...], walls: walls[start.wall...], start: start.uptime, resumed: resumed,
            issued: issued)
    }
}

/// What was current while a request was in flight.
struct Window {
    let epochs: ArraySlice<Epoch>
    let walls: ArraySlice<SigningTime>
    /// The uptime at which the request began.
    let start: MonotonicTime
    /// The end of the last pause of the machine.
    let resumed: MonotonicTime
    let issued: [String: IssuedCredentials]

    /// Returns nil if at least one epoch explains the response, otherwise what is wrong by the last epoch.
    func complaint(_ complaint: (Epoch) throws -> String?) rethrows -> String? {
        var last: String?
        for epoch in epochs {
            last = try complaint(epoch)
            if last == nil { return nil }
        }
        return last
    }

    /// Whether the source had no usable credentials at a time of the request.
    func lacksCredentials(of source: CredentialSelection, in epoch: Epoch) -> Bool {
        guard let credentials = epoch.credentials[source] else { return true }
        guard let end = credentials.expiration?.advanced(bySeconds: -Epoch.minRemaining) else { return false }
        return walls.contains { $0 >= end }
    }
}

/// Credentials that a source has returned.
struct IssuedCredentials {
    let credentials: Credentials
    let source: CredentialSelection
    /// The end of their life by the monotonic clock; nil without an end.
    let end: MonotonicTime?
}
