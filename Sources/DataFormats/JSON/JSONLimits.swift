/// Bounds on a JSON text, checked while it is read.
package struct JSONLimits: Sendable {
    /// Bytes of the whole text.
    package var size: Int
    /// Objects and arrays within each other; 1 allows one object of plain values.
    package var depth: Int

    /// - Parameters:
    ///   - size: bytes, 16 KiB unless told
    ///   - depth: nesting, 8 unless told
    package init(size: Int = 16 * 1024, depth: Int = 8) {
        self.size = size
        self.depth = depth
    }
}
