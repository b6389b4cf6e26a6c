package import System

/// A range of an open file that is the content of a response.
package struct HTTPFile: Sendable {
    package let file: OpenFile
    /// The bytes of the file to send.
    package let range: Range<Int>

    /// If the file is truncated below the end of `range`, the connection is closed in the middle of the response.
    package init(_ file: OpenFile, range: Range<Int>) {
        (self.file, self.range) = (file, range)
    }
}
