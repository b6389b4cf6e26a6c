import AccessRules
import Synchronization
import Text

/// The tokens that were verified, until they expire: a client sends the same one many times.
///
/// Bounded in entries and in bytes. It is cut into parts with a lock each, held for a few loads only, so that loops
/// hardly meet. Whoever holds no valid token puts nothing here and so drives nothing out.
final class TokenCache: Sendable {
    /// Where a token belongs.
    struct Place {
        /// Of the whole process's choice, so that nobody can tell which tokens meet.
        fileprivate let mark: UInt64

        /// From the last 32 bytes, which are the signature's and so as good as random.
        package init(of text: Span<UInt8>) {
            var hasher = Hasher()
            var end = text.count
            while end >= 8, end > text.count - 32 {
                hasher.combine(text.word(at: end - 8))
                end -= 8
            }
            mark = UInt64(bitPattern: Int64(hasher.finalize()))
        }
    }

    private static let partCount = 16
    private let parts = (0..<partCount).map { _ in Part() }

    /// Whom a token stands for; nil when it is not known, or not valid now.
    ///
    /// - Parameter now: seconds since 1970.
    func caller(for text: Span<UInt8>, at place: Place, _ now: Int64) -> Caller? {
        guard let entry = part(of: place).entry(marked: place.mark), entry.validity.contains(now),
            entry.hasText(text)
        else { return nil }
        return entry.caller
    }

    /// Remembers a token that was verified.
    ///
    /// - Parameter validity: the seconds since 1970 in which it is valid.
    func insert(_ text: Span<UInt8>, at place: Place, _ caller: Caller, _ validity: Range<Int64>) {
        var copy: [UInt8] = []
        copy.append(text)
        let entry = Entry(mark: place.mark, text: copy, caller: caller, validity: validity)
        part(of: place).insert(entry)
    }

    /// How many tokens there are, and what they take, in bytes.
    var extent: (count: Int, bytes: Int) {
        parts.map(\.extent).reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.bytes) }
    }

    private func part(of place: Place) -> Part {
        parts[Int(truncatingIfNeeded: place.mark % UInt64(Self.partCount))]
    }

    fileprivate final class Entry: Sendable {
        let mark: UInt64
        private let text: [UInt8]
        let caller: Caller
        let validity: Range<Int64>
        let cost: Int

        init(mark: UInt64, text: [UInt8], caller: Caller, validity: Range<Int64>) {
            (self.mark, self.text, self.caller, self.validity) = (mark, text, caller, validity)
            cost = text.count + caller.footprint + 128
        }

        /// Whether it is the text, in a time that depends on the lengths only: eight bytes at a step, as tokens are long
        /// and this is what a known one costs.
        func hasText(_ other: Span<UInt8>) -> Bool {
            let text = text
            let own = text.span
            guard own.count == other.count, own.count >= 8 else { return false }
            var difference: UInt64 = 0
            var index = 0
            while own.count - index >= 8 {
                difference |= own.word(at: index) ^ other.word(at: index)
                index += 8
            }
            // The last eight bytes, some of them for the second time.
            difference |= own.word(at: own.count - 8) ^ other.word(at: own.count - 8)
            return difference == 0
        }
    }
}

/// One part: sets of four entries, found by the mark.
private final class Part: Sendable {
    private struct State {
        var marks: [UInt64] = []
        var entries: [TokenCache.Entry?] = []
        var bytes = 0
        /// The entry that goes next when the bytes are too many, and the place in a set that is taken when it is full.
        var hand = 0
    }

    private static let ways = 4
    static let entryCount = 1024
    /// 32 MiB for the whole cache: 16,384 tokens of 2 KiB.
    static let mostBytes = 2 << 20

    private let state = Mutex(State())

    var extent: (count: Int, bytes: Int) {
        state.withLock { ($0.entries.count { $0 != nil }, $0.bytes) }
    }

    private static func firstSlot(of mark: UInt64) -> Int {
        // The lowest bits have chosen the part already.
        Int(truncatingIfNeeded: (mark >> 8) % UInt64(entryCount / ways)) * ways
    }

    func entry(marked mark: UInt64) -> TokenCache.Entry? {
        state.withLock { state in
            guard !state.marks.isEmpty else { return nil }
            let first = Self.firstSlot(of: mark)
            for slot in first..<(first + Self.ways) where state.marks[slot] == mark { return state.entries[slot] }
            return nil
        }
    }

    func insert(_ entry: TokenCache.Entry) {
        guard entry.cost <= Self.mostBytes else { return }
        state.withLock { state in
            if state.marks.isEmpty {
                state.marks = Array(repeating: 0, count: Self.entryCount)
                state.entries = Array(repeating: nil, count: Self.entryCount)
            }
            let slot = Self.slot(for: entry.mark, in: &state)
            Self.clear(slot, in: &state)
            while state.bytes + entry.cost > Self.mostBytes {
                Self.clear(state.hand, in: &state)
                state.hand = (state.hand + 1) % Self.entryCount
            }
            state.marks[slot] = entry.mark
            state.entries[slot] = entry
            state.bytes += entry.cost
        }
    }

    /// The slot of the same mark, else a free one, else one after the other.
    private static func slot(for mark: UInt64, in state: inout State) -> Int {
        let slots = firstSlot(of: mark)..<(firstSlot(of: mark) + ways)
        if let same = slots.first(where: { state.marks[$0] == mark && state.entries[$0] != nil }) { return same }
        if let free = slots.first(where: { state.entries[$0] == nil }) { return free }
        state.hand = (state.hand + 1) % entryCount
        return slots.lowerBound + state.hand % ways
    }

    private static func clear(_ slot: Int, in state: inout State) {
        guard let old = state.entries[slot] else { return }
        state.bytes -= old.cost
        state.entries[slot] = nil
        state.marks[slot] = 0
    }
}
