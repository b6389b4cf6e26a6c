import HTTP1
import System

/// A file of the store with its footer: an object, or a part.
///
/// It is open, so its bytes stay readable while another takes its name, or none does.
struct StoredFile: Sendable {
    let footer: ObjectFooter
    let file: OpenFile

    /// Opens a file; nil when there is none of that name.
    init?(_ name: String, in directory: Directory) throws(S3Error) {
        do throws(SystemError) {
            file = try directory.openFile(name)
        } catch {
            if error.isAbsence { return nil }
            throw S3Error(error)
        }
        let file = file
        let (end, size) = try answeringFailures { () throws(SystemError) in
            let size = try file.status().size
            let count = min(size, ObjectFooter.maximumByteCount)
            return (try file.read(at: size - count, count: count), size)
        }
        guard let footer = ObjectFooter(end, fileSize: size) else { throw .damagedFile }
        self.footer = footer
    }

    /// Some of its content, for an answer.
    func content(_ range: Range<Int>) throws(S3Error) -> HTTPFile {
        let descriptor = try answeringFailures { () throws(SystemError) in try file.duplicatedDescriptor() }
        return HTTPFile(owning: descriptor, range: range)
    }
}
