/// The exclusive right of one transfer in this process to a record and to a pair of path and file, until it is released.
final class Claim: Sendable {
    private static let held = Locked<Set<String>>([])

    private let names: Set<String>

    /// Returns nil if another transfer holds one of the names.
    init?(_ names: Set<String>) {
        let isFree = Self.held.with { held in
            guard held.isDisjoint(with: names) else { return false }
            held.formUnion(names)
            return true
        }
        guard isFree else { return nil }
        self.names = names
    }

    static func isHeld(_ name: String) -> Bool { held.with { $0.contains(name) } }

    deinit {
        Self.held.with { $0.subtract(names) }
    }
}
