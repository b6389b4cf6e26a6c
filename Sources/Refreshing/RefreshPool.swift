import Synchronization

/// The current values of sources. It lives as long as the process, so values survive a reload of the configuration.
package final class RefreshPool<Source: RefreshSource>: Sendable {
    package typealias Value = RefreshedValue<Source>

    private let make: @Sendable (Source.ID) throws(Source.Failure) -> Value
    private let values = Mutex<[Source.ID: Value]>([:])

    /// - Parameter make: Returns the first value of a source without blocking.
    package init(_ make: @escaping @Sendable (Source.ID) throws(Source.Failure) -> Value) { self.make = make }

    /// All values, in no particular order.
    package var all: [Value] { values.withLock { Array($0.values) } }

    /// Returns the value of a source, and adds the source if it is new.
    package func value(of id: Source.ID) throws(Source.Failure) -> Value {
        if let known = values.withLock({ $0[id] }) { return known }
        let new = try make(id)
        return values.withLock { values in
            let value = values[id] ?? new
            values[id] = value
            return value
        }
    }

    /// Removes all other sources and stops their refresh; with no ids, that of all.
    package func keep(only ids: Set<Source.ID>) {
        let removed = values.withLock { values in
            defer { values = values.filter { ids.contains($0.key) } }
            return values.filter { !ids.contains($0.key) }
        }
        for value in removed.values { value.stop() }
    }

    /// Refreshes all values from now on.
    ///
    /// - Parameter report: Receives the result of each step, on any thread.
    package func start(_ report: @escaping @Sendable (Value, Value.Step) -> Void) {
        for value in all { value.start { report(value, $0) } }
    }
}
