import Presigning

/// The command line that uses a URL.
enum CurlCommand {
    /// `-g` and `--path-as-is` keep curl from touching the key; `-T` sends no header that is not signed.
    ///
    /// - Parameter path: the object's path; its last segment becomes the name of the local file.
    static func text(for url: PresignedURL, path: String) -> String {
        let segment = path.split(separator: "/").last.map { String($0) } ?? "object"
        // A leading "-" would be an option to curl.
        let file = quoted(segment.utf8.first == UInt8(ascii: "-") ? "./" + segment : segment)
        var words = ["curl", "-g", "--path-as-is", "--fail-with-body"]
        switch url.method {
        case "GET": words += ["-o", file]
        case "HEAD": words += ["--head"]
        case "PUT": words += ["-T", file]
        case "POST"
        where url.text.split(whereSeparator: { $0 == "?" || $0 == "&" }).contains { $0.hasPrefix("uploadId=") }:
            words += ["-X", "POST", "--data-binary", "@parts.xml", "-H", "'content-type: application/xml'"]
        default: words += ["-X", url.method]
        }
        // curl sets the length of what it uploads itself.
        for header in url.headers where header.name != "content-length" {
            words += ["-H", quoted("\(header.name): \(header.value)")]
        }
        return (words + [quoted(url.text)]).joined(separator: " ")
    }

    /// As a shell takes it: everything literal between single quotes.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
