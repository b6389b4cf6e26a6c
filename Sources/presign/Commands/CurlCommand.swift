import Presigning

/// The shell command that uses a URL, for `--output curl`.
struct CurlCommand {
    let url: PresignedURL
    /// The object's path; its last segment names the local file.
    let path: String
    /// Whether the request belongs to an existing multipart upload.
    let hasUploadID: Bool
    /// The part of the file to send, for UploadPart: its number from 1, and the size of every part except the last.
    let part: (number: Int64, size: Int64)?

    /// One line for sh, bash and zsh. `-g` and `--path-as-is` stop curl from rewriting the key.
    var text: String {
        var words = ["curl", "-g", "--path-as-is", "--fail-with-body"] + transfer
        // curl computes the length itself.
        for header in url.headers where header.name != "content-length" {
            words += ["-H", Self.quoted("\(header.name): \(header.value)")]
        }
        let command = (words + [Self.quoted(url.text)]).joined(separator: " ")
        guard let part, let file else { return command }
        // With the braces a missing file fails the whole line instead of uploading an empty part.
        let start = (part.number - 1) * part.size + 1
        return "{ tail -c +\(start) | head -c \(part.size) | \(command); } <\(file)"
    }

    private var transfer: [String] {
        switch url.method {
        case "GET": hasUploadID ? [] : file.map { ["-o", $0] } ?? []
        case "HEAD": ["--head"]
        // S3 requires a length, which `-T -` does not send. `-i` prints the ETag that CompleteMultipartUpload requires.
        case "PUT" where part != nil: ["-i", "-X", "PUT", "--data-binary", "@-"] + noContentType
        case "PUT": file.map { ["-T", $0] } ?? ["-X", "PUT", "--data-binary", "''"] + noContentType
        case "POST" where hasUploadID:
            ["-X", "POST", "--data-binary", "@parts.xml", "-H", "'content-type: application/xml'"]
        default: ["-X", url.method]
        }
    }

    /// Removes curl's default content type, that of a form.
    private var noContentType: [String] {
        url.headers.contains { $0.name == "content-type" } ? [] : ["-H", "content-type:"]
    }

    /// The local file, quoted; nil for a path that ends in "/", which is an empty object that represents a folder.
    private var file: String? {
        guard path.utf8.last != UInt8(ascii: "/"), let name = path.split(separator: "/").last else { return nil }
        switch name {
        case ".", "..": return "object"
        // curl would read a leading "-" as an option.
        case _ where name.utf8.first == UInt8(ascii: "-"): return Self.quoted("./" + name)
        default: return Self.quoted(String(name))
        }
    }

    /// Quotes a text for a shell.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
