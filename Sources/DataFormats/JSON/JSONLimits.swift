/// The limits for a JSON text.
package struct JSONLimits: Sendable {
    /// The maximum size of the text in bytes.
    package var size: Int
    /// The maximum nesting depth of objects and arrays. 1 allows one object of scalar values.
    package var depth: Int

    /// Creates limits, by default 16 KiB and a depth of 8.
    package init(size: Int = 16 * 1024, depth: Int = 8) {
        self.size = size
        self.depth = depth
    }
}
