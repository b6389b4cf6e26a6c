import HTTP1
import System

/// An open object or part, with its footer. Its content stays readable after the file is replaced or removed.
struct StoredFile: Sendable {
    let footer: ObjectFooter
    let file: OpenFile

    /// Opens a file; nil if it does not exist. Throws if its footer is damaged.
    ///
    /// - Parameter expecting: the usual size of a footer in bytes, to be read first; a larger one takes a second read.
    init?(_ name: String, in directory: Directory, expecting: Int = ObjectFooter.maximumByteCount) throws(S3Error) {
        do throws(SystemError) {
            file = try directory.openFile(name)
        } catch {
            if error.isAbsence { return nil }
            throw S3Error(error)
        }
        let file = file
        let (end, size) = try mappingSystemErrors { () throws(SystemError) in
            let size = try file.status().size
            let usual = min(size, expecting)
            let end = try file.read(at: size - usual, count: usual)
            guard ObjectFooter.byteCount(atEndOf: end).map({ $0 > usual }) ?? false else { return (end, size) }
            let count = min(size, ObjectFooter.maximumByteCount)
            return (try file.read(at: size - count, count: count), size)
        }
        guard let footer = ObjectFooter(end, fileSize: size) else { throw .damagedFile }
        self.footer = footer
    }

    /// Returns a range of the content for a response.
    func content(_ range: Range<Int>) -> HTTPFile { HTTPFile(file, range: range) }
}
