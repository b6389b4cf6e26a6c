private import CEmbeddedFiles
import Cryptography

/// The upload page and `presign.js`, embedded in the binary.
///
/// Each file but the page itself has two paths: its own, such as `/js/client.js`, and one with the version of all files,
/// such as `/v/1f2e3d4c/js/client.js`. The page and `/presign.js` refer to the latter, which browsers cache forever.
package enum UploadPage {
    /// A file of the upload page, as it is at one of its paths.
    package struct Asset: Sendable {
        /// The value of `Content-Type`.
        package let contentType: String
        /// The content.
        package let bytes: [UInt8]
        /// The value of `ETag`.
        package let entityTag: String
        /// Whether this is the HTML document, whose response must have `contentSecurityPolicy(connectingTo:)`.
        package var isPage = false
        /// Whether the path has the version, so that its content never changes.
        package var isImmutable = false
    }

    /// Returns the asset at a request's path, or nil for other paths. The path of another version, which a page from
    /// another replica has, returns the file of this version, not immutable.
    ///
    /// - Parameter path: the path as received, without the query. It is compared byte by byte.
    package static func asset(at path: some Collection<UInt8>) -> Asset? {
        guard path.starts(with: versionsPath.utf8) else {
            return plain.first { path.elementsEqual($0.path.utf8) }?.asset
        }
        let rest = path.dropFirst(versionsPath.utf8.count)
        let given = rest.prefix { $0 != UInt8(ascii: "/") }
        guard !given.isEmpty else { return nil }
        let name = rest.dropFirst(given.count)
        var asset = files.first { name.elementsEqual($0.path.utf8) }?.asset
        asset?.isImmutable = given.elementsEqual(version.utf8)
        return asset
    }

    /// Returns the page with its settings, which `page/language.js` reads.
    ///
    /// - Parameter json: a JSON text.
    package static func page(settings json: String) -> [UInt8] {
        let text = json.utf8.flatMap { byte in
            switch byte {
            case UInt8(ascii: "&"): Array("&amp;".utf8)
            case UInt8(ascii: "\""): Array("&quot;".utf8)
            default: [byte]
            }
        }
        let page = asset(at: "/".utf8)?.bytes ?? []
        let meta = Array("<meta name=\"presign-page\" content=\"".utf8) + text + Array("\">\n</head>".utf8)
        guard let end = page.firstRange(of: Array("</head>".utf8)) else { return page }
        return page[..<end.lowerBound] + meta + page[end.upperBound...]
    }

    /// The languages of the page: those that have a file of texts.
    package static let languages = sources.compactMap { file -> String? in
        let folder = "/page/texts/"
        guard file.path.hasPrefix(folder), file.path.hasSuffix(".js") else { return nil }
        return String(file.path.dropFirst(folder.count).dropLast(3))
    }

    /// The paths of all assets.
    package static var paths: [String] { plain.map(\.path) + files.map { versionPath + $0.path.dropFirst() } }

    /// Returns the value of `ETag` for a content: the start of its SHA-256.
    package static func entityTag(of content: [UInt8]) -> String { "\"\(digest(of: content))\"" }

    private static func digest(of content: [UInt8]) -> String {
        let digits = SHA256.hash(content).hexadecimal
        return String(decoding: (0..<16).map { digits[$0] }, as: UTF8.self)
    }

    /// The version of all files: it changes with each of them.
    private static let version = digest(of: sources.flatMap { Array(($0.path + $0.contentType).utf8) + $0.bytes })
    private static let versionsPath = "/v/"
    private static var versionPath: String { "\(versionsPath)\(version)/" }

    private typealias File = (path: String, contentType: String, bytes: [UInt8])

    /// The files that have a path with the version.
    private static let files: [(path: String, asset: Asset)] = sources.filter { $0.path != "/" }.map { file in
        (
            file.path,
            Asset(contentType: file.contentType, bytes: file.bytes, entityTag: entityTag(of: file.bytes))
        )
    }

    /// The files at their own paths. Those with which a page begins refer to the others by paths with the version.
    private static let plain: [(path: String, asset: Asset)] = sources.map { file in
        let bytes = beginning(file.path, file.bytes)
        return (
            file.path,
            Asset(
                contentType: file.contentType, bytes: bytes, entityTag: entityTag(of: bytes), isPage: file.path == "/")
        )
    }

    /// Returns the content of a file with which a page begins; of others, the same content.
    private static func beginning(_ path: String, _ bytes: [UInt8]) -> [UInt8] {
        // Relative, because a proxy can serve the page below another path.
        let folder = versionPath.dropFirst()
        switch path {
        case "/presign.js": return bytes.replacing("\"./js/", with: "\"./\(folder)js/")
        case "/":
            return bytes.replacing("\"page/", with: "\"\(folder)page/").replacing("\"js/", with: "\"\(folder)js/")
                .replacing("\"favicon.svg\"", with: "\"\(folder)favicon.svg\"")
        default: return bytes
        }
    }

    private static let script = "text/javascript; charset=utf-8"
    private static let sources: [File] = EmbeddedFiles.page.map { path, content in
        (path, contentType(of: path), path.hasPrefix("/page/") ? compacted(content) : content)
    }

    /// Returns a script or style sheet without indentation and without the comments that have their own lines: a fifth
    /// of what the page loads. `presign.js`, which others read, keeps them.
    private static func compacted(_ content: [UInt8]) -> [UInt8] {
        var isComment = false
        let lines = content.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }
        let kept = lines.filter { line in
            isComment = isComment || line.starts(with: "/*".utf8)
            guard !isComment else {
                isComment = !line.suffix(2).elementsEqual("*/".utf8)
                return false
            }
            return !line.isEmpty && !line.starts(with: "//".utf8)
        }
        return Array(kept.joined(separator: [UInt8(ascii: "\n")]))
    }

    private static func contentType(of path: String) -> String {
        if path == "/" { return "text/html; charset=utf-8" }
        if path.hasSuffix(".js") { return script }
        if path.hasSuffix(".css") { return "text/css; charset=utf-8" }
        return path.hasSuffix(".svg") ? "image/svg+xml" : "text/plain; charset=utf-8"
    }
}

extension [UInt8] {
    /// Returns the bytes with another text in place of each occurrence of one.
    fileprivate func replacing(_ text: String, with other: String) -> [UInt8] {
        let wanted = Array(text.utf8)
        var result: [UInt8] = []
        var index = startIndex
        while index < endIndex {
            if self[index...].starts(with: wanted) {
                result += other.utf8
                index += wanted.count
            } else {
                result.append(self[index])
                index += 1
            }
        }
        return result
    }
}

extension UploadPage {
    /// Returns the value of `Content-Security-Policy` for the page (W3C CSP Level 3).
    ///
    /// The policy allows the page's own files, requests to the service, the storages and the token endpoint, and images,
    /// video and audio of the storages. Frames show only what the page itself has fetched, for PDF. It forbids inline
    /// scripts and strings that become script. The authorization endpoint needs no directive, because the browser
    /// navigates to it.
    ///
    /// - Parameters:
    ///   - origins: the origins of the storages, as `scheme://host[:port]`.
    ///   - tokenEndpoint: the URL at which the page gets tokens; only its path is allowed. Like an origin, it is omitted
    ///     if it has a character that could end its directive (blank, comma, semicolon, control character).
    package static func contentSecurityPolicy(
        connectingTo origins: [String], tokenEndpoint: String? = nil
    ) -> String {
        // A source of a policy has no query.
        let endpoint = (tokenEndpoint?.utf8.prefix { $0 != UInt8(ascii: "?") }).map { String(Substring($0)) }
        let isSafe = { (source: String) in !source.isEmpty && source.utf8.allSatisfy(isPlain) }
        let storages = origins.filter(isSafe)
        let allow = { (name: String, sources: [String]) in ([name] + sources).joined(separator: " ") }
        return [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", allow("img-src", ["'self'"] + storages),
            allow("media-src", storages.isEmpty ? ["'none'"] : storages), "frame-src blob:",
            allow("connect-src", ["'self'"] + storages + [endpoint].compactMap(\.self).filter(isSafe)),
            "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'",
            "require-trusted-types-for 'script'", "trusted-types 'none'",
        ].joined(separator: "; ")
    }

    /// Returns whether a byte is printable ASCII and has no special meaning in a policy.
    private static func isPlain(_ byte: UInt8) -> Bool {
        0x21...0x7e ~= byte && byte != UInt8(ascii: ";") && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "'")
    }
}

/// Files of this repository, embedded in the binary.
package enum EmbeddedFiles {
    /// The files of the upload page and of `presign.js`, with their paths in the service.
    package static let page: [(path: String, content: [UInt8])] = (0..<presign_page_file_count()).map { index in
        // C has no safe array; index is in range, and the texts are constants that end with NUL.
        let file = unsafe presign_page_file(index)
        return (unsafe String(cString: file.path), unsafe bytes(of: file.content))
    }

    /// The description of the API, `config/openapi.yaml`.
    package static let apiDescription = unsafe bytes(of: presign_api_description())

    /// - Parameter text: a constant that ends with NUL.
    @unsafe private static func bytes(of text: UnsafePointer<UInt8>) -> [UInt8] {
        unsafe Array(String(cString: text).utf8)
    }
}
