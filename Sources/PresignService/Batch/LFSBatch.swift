import DataFormats
import HTTP1
import Presigning
import Requests
import Text

/// A batch of the Git LFS API, whose objects are decided and signed like the items of `POST /presign/batch`.
///
/// An object's name is the SHA-256 of its content, which an upload signs together with the exact length, so nothing
/// else can be stored under the name. Source: git-lfs, docs/api/batch.md.
struct LFSBatch: BatchFormat {
    private enum Operation: String, CaseIterable {
        case download, upload
    }

    private let operation: Operation
    private let objects: [LFSObject]
    /// The path of the repository's objects, with a slash at the end.
    private let folder: [UInt8]
    private let store: String?

    /// Decodes a batch. Unknown members are ignored, because clients send those of later versions of the API.
    ///
    /// - Parameters:
    ///   - repository: the repository's path in the request target, percent-encoded.
    ///   - configuration: where its objects are.
    ///   - limit: the maximum size of the body, in bytes.
    /// - Throws: `Problem` 400 if the body is malformed, 409 for a hash other than SHA-256.
    init(
        _ body: [UInt8], of repository: [UInt8], in configuration: LFSConfiguration, limit: Int
    ) throws(Problem) {
        let value: JSONValue
        do throws(SyntaxError) {
            value = try JSONValue(parsing: body, limits: JSONLimits(size: limit))
        } catch {
            throw .lfs("", "the body is malformed: \(error)")
        }
        guard let repository = PercentEncoding.decode(repository[...]) else {
            throw .lfs("repository", "must be percent-encoded UTF-8")
        }
        guard let name = value["operation"]?.string,
            let operation = Operation.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) })
        else {
            throw .lfs("operation", "must be `upload` or `download`")
        }
        if case .array(let transfers)? = value["transfers"], !transfers.isEmpty, !transfers.contains(.basic) {
            throw .lfs("transfers", "must contain `basic`, the only transfer that presign offers")
        }
        if let hash = value["hash_algo"], hash != .sha256 { throw .lfsHash }
        guard case .array(let objects)? = value["objects"], PresignBatch.possible.contains(objects.count) else {
            throw .lfs("objects", "must be an array of 1 to \(PresignBatch.possible.upperBound) objects")
        }
        self.operation = operation
        self.objects = objects.map { LFSObject($0) }
        folder = Array(configuration.prefix.utf8) + [ASCII.slash] + repository + [ASCII.slash]
        store = configuration.store
    }

    var count: Int { objects.count }
    var fields: HTTPFields { .lfs }
    var start: StaticString { #"{"transfer":"basic","objects":["# }
    var end: StaticString { "]}\n" }

    /// The client asks for credentials only after a response 401, not after an object's error.
    func refusesAll(_ problem: Problem) -> Bool { problem.status == 401 }

    func append(_ presigned: PresignResponse, of index: Int, to body: inout ByteBuffer) {
        let url = presigned.url
        body.appendObject { json in
            objects[index].append(to: &json)
            json.member("authenticated", true)
            json.object("actions") { json in
                json.object(named: operation.rawValue.utf8.span) { json in
                    url.content.withSpan { json.member("href", $0) }
                    json.object("header") { json in
                        // The client sets the length itself.
                        for header in url.headers where header.name != "content-length" {
                            json.member(named: header.name.utf8.span, header.value.utf8.span)
                        }
                    }
                    json.member("expires_in", url.expiresIn)
                }
            }
        }
    }

    /// The client then assumes that the server has the object, and does not upload it.
    func appendStored(_ index: Int, to body: inout ByteBuffer) {
        body.appendObject { objects[index].append(to: &$0) }
    }

    func append(_ problem: Problem, of index: Int, requestID: RequestID, to body: inout ByteBuffer) {
        body.appendObject { json in
            objects[index].append(to: &json)
            json.object("error") {
                // 422 is the API's status for an invalid object.
                $0.member("code", problem.status == 400 ? 422 : problem.status)
                $0.member("message", problem.detail)
            }
        }
    }

    func request(at index: Int, limit: Int) throws(Problem) -> PresignRequest {
        let object = objects[index]
        guard let digest = object.digest else {
            throw .constraint([FieldFailure("oid", "must be 64 lower-case hexadecimal digits")])
        }
        guard let size = object.size else {
            throw .constraint([FieldFailure("size", "must be a whole number of bytes")])
        }
        var fields = PresignRequest()
        fields.path = folder + object.id[0..<2] + [ASCII.slash] + object.id[2..<4] + [ASCII.slash] + object.id
        fields.hasPath = true
        fields.store = store
        guard operation == .upload else { return fields }
        fields.method = .put
        fields.contentType = "application/octet-stream"
        fields.contentLength = size
        fields.checksumSHA256 = Base64.encode(digest)
        fields.isContentAddressed = true
        return fields
    }
}

/// An object in a batch, as the client names it.
private struct LFSObject: Sendable {
    /// The id as sent, shortened to the length of a valid one; empty if it is not a string.
    let id: [UInt8]
    /// The SHA-256 that the id states; nil if the id is invalid.
    let digest: [UInt8]?
    /// Bytes; nil if invalid.
    let size: Int64?

    init(_ value: JSONValue) {
        let text = value["oid"]?.string ?? []
        let isValid = text.count == 64 && text.allSatisfy { ASCII.isDigit($0) || ASCII.isLowercase($0) }
        id = Array(text.prefix(64))
        digest = isValid ? Hexadecimal.decode(text) : nil
        size = value["size"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
    }

    func append(to json: inout JSONWriter) {
        json.member("oid", id)
        json.member("size", size ?? 0)
    }
}

extension JSONValue {
    fileprivate static let basic = JSONValue.string(Array("basic".utf8))
    fileprivate static let sha256 = JSONValue.string(Array("sha256".utf8))
}

extension HTTPFields {
    /// The media type of the Git LFS API.
    static let lfs = HTTPFields([("content-type", "application/vnd.git-lfs+json")])
}

extension Problem {
    fileprivate static func lfs(_ field: String, _ detail: String) -> Problem {
        validation([FieldFailure(field, detail)], recovery: "Use an unmodified Git LFS client, or see its API: batch.")
    }

    fileprivate static let lfsHash = Problem(
        409, .validation, "Unsupported hash", "hash_algo: presign names Git LFS objects by their SHA-256 only",
        recovery: "Set hash_algo to sha256, or omit it.")

    /// 501: the Git LFS client then stops asking for locks (git-lfs, docs/api/locking.md).
    static let locksNotImplemented = Problem(
        501, .notImplemented, "Not implemented", "presign does not implement the locks of Git LFS",
        recovery: "Set lfs.locksverify to false for this server; the client offers the command.")
}
