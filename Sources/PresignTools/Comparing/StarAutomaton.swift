/// Patterns in which a star matches any number of symbols, followed all at once.
struct StarAutomaton<Symbol: Hashable> {
    private let star: Symbol
    /// The symbols of all patterns; nil ends one.
    private var symbols: [Symbol?] = []
    /// The pattern of each symbol.
    private var owners: [Int] = []
    /// The positions before the first symbol.
    private(set) var start: [Int] = []

    init(_ patterns: [[Symbol]], star: Symbol) {
        self.star = star
        for (number, pattern) in patterns.enumerated() {
            start.append(symbols.count)
            symbols += pattern + [nil]
            owners += Array(repeating: number, count: pattern.count + 1)
        }
        start = closed(start)
    }

    /// The positions after a symbol, which other symbols of patterns than the star match or not.
    func advanced(_ positions: [Int], where matches: (Symbol) -> Bool) -> [Int] {
        closed(
            positions.compactMap { index in
                guard let symbol = symbols[index] else { return nil }
                return symbol == star ? index : matches(symbol) ? index + 1 : nil
            })
    }

    /// The symbols other than the star that are compared next.
    func symbols(at positions: [Int]) -> Set<Symbol> { Set(positions.compactMap { symbols[$0] }).subtracting([star]) }

    /// The patterns that end at the positions.
    func ends(at positions: [Int]) -> [Int] { positions.filter { symbols[$0] == nil }.map { owners[$0] } }

    /// A star matches no symbol, too.
    private func closed(_ positions: [Int]) -> [Int] {
        var all = Set(positions)
        for var index in positions {
            while symbols[index] == star {
                index += 1
                all.insert(index)
            }
        }
        return all.sorted()
    }
}
