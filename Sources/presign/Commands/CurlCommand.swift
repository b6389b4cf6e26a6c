import Presigning

/// The shell command that uses a URL: what `--output curl` prints.
struct CurlCommand {
    let url: PresignedURL
    /// The object's path; its last segment names the local file.
    let path: String
    /// Whether the request is about a multipart upload that has begun.
    let hasUploadID: Bool
    /// The part of the file to send, for UploadPart.
    let part: Part?

    /// A part of a file.
    struct Part {
        /// From 1.
        let number: Int64
        /// Bytes of each part but the last.
        let size: Int64
    }

    /// One line for sh, bash and zsh.
    ///
    /// `-g` and `--path-as-is` keep curl from changing the key.
    var text: String {
        var words = ["curl", "-g", "--path-as-is", "--fail-with-body"] + transfer
        // curl sends the length itself.
        for header in url.headers where header.name != "content-length" {
            words += ["-H", Self.quoted("\(header.name): \(header.value)")]
        }
        let command = (words + [Self.quoted(url.text)]).joined(separator: " ")
        guard let part, let file else { return command }
        // The braces let a missing file stop the whole line, so that no empty part is sent.
        let start = (part.number - 1) * part.size + 1
        return "{ tail -c +\(start) | head -c \(part.size) | \(command); } <\(file)"
    }

    private var transfer: [String] {
        switch url.method {
        case "GET": hasUploadID ? [] : file.map { ["-o", $0] } ?? []
        case "HEAD": ["--head"]
        // S3 needs a length, which `-T -` does not send. `-i` shows the ETag, which completing the upload takes.
        case "PUT" where part != nil: ["-i", "-X", "PUT", "--data-binary", "@-"] + noContentType
        case "PUT": file.map { ["-T", $0] } ?? ["-X", "PUT", "--data-binary", "''"] + noContentType
        case "POST" where hasUploadID:
            ["-X", "POST", "--data-binary", "@parts.xml", "-H", "'content-type: application/xml'"]
        default: ["-X", url.method]
        }
    }

    /// Keeps curl from calling a body a form.
    private var noContentType: [String] {
        url.headers.contains { $0.name == "content-type" } ? [] : ["-H", "content-type:"]
    }

    /// The local file, quoted; nil for a path that ends in "/", an empty object that stands for a folder.
    private var file: String? {
        guard path.utf8.last != UInt8(ascii: "/"), let name = path.split(separator: "/").last else { return nil }
        switch name {
        case ".", "..": return "object"
        // A leading "-" would be an option to curl.
        case _ where name.utf8.first == UInt8(ascii: "-"): return Self.quoted("./" + name)
        default: return Self.quoted(String(name))
        }
    }

    /// Quoted for a shell: everything between single quotes is literal.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
