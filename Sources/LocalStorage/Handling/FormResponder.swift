import HTTP1
import HTTPServer
import Presigning

/// Receives an HTML form: its fields in memory, then its file, which it hashes and writes as it arrives.
final class FormResponder: StorageResponder {
    let task: StorageTask
    private var parser: FormParser
    private var form = PostForm()
    /// Nil until the file begins.
    private var upload: FormUpload?

    init(_ task: StorageTask, _ parser: FormParser) { (self.task, self.parser) = (task, parser) }

    func receive(_ content: ArraySlice<UInt8>) -> HTTPResponse? {
        do throws(S3Error) {
            var rest = content
            while let event = try parser.next(&rest) {
                switch event {
                case .field(let name, let value): try form.add(name, value)
                case .file: upload = try FormUpload(form, of: task)
                case .content(let piece): try upload?.write(piece)
                }
            }
            // The parser and the form hold each byte.
            guard task.hold(2 * parser.fieldBytes) else { throw .slowDown }
            return nil
        } catch {
            return task.frame.response(error)
        }
    }

    func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? {
        guard let upload else { return task.frame.response(.missingFile) }
        guard parser.hasFile else { return task.frame.response(.incompleteBody) }
        return upload.task.respondLater(deferrals.makeDeferral()) { [upload] () throws(S3Error) in
            var upload = upload
            return try upload.place()
        }
    }
}

/// The upload of a form's file, after its fields were checked.
private struct FormUpload: Sendable {
    /// The task with the request that a PUT would be.
    let task: StorageTask
    private let form: PostForm
    private let conditions: FormConditions
    private let headers: [S3Request.Field]
    private var content: IncomingContent

    /// Throws unless the form may be uploaded.
    init(_ form: PostForm, of task: StorageTask) throws(S3Error) {
        let request = try S3Request(form, of: task.request)
        conditions = try task.store.authenticator.check(form, to: request.bucket, at: task.store.clock())
        try StoredHeaders.check(request)
        headers = try StoredHeaders.of(request)
        let expectation = try ContentExpectation(request, length: nil, hasChecksum: true)
        content = IncomingContent(expectation, in: try task.store.objects.newFile())
        self.task = StorageTask(
            store: task.store, request: request, frame: task.frame, memory: task.memory, chunkSignatures: nil)
        self.form = form
    }

    mutating func write(_ piece: ArraySlice<UInt8>) throws(S3Error) {
        try content.append(piece)
        guard content.byteCount <= conditions.maximum else {
            throw .entityTooLarge(content.byteCount, limit: Int(conditions.maximum))
        }
    }

    /// Stores the file as an object and returns the response.
    mutating func place() throws(S3Error) -> HTTPResponse {
        guard content.byteCount >= conditions.minimum else {
            throw .entityTooSmall(content.byteCount, limit: Int(conditions.minimum))
        }
        let verified = try content.verified()
        let footer = task.footer(of: verified, headers)
        try task.store.objects.place(content.file, footer, if: try WriteConditions(task.request))
        return try task.formResponse(footer, form)
    }
}

extension S3Error {
    /// The error for a form without a file.
    fileprivate static let missingFile = invalidArgument(
        "POST requires exactly one file upload per request.", name: "file", value: [])
}
