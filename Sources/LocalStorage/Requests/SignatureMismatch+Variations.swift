import Presigning
import Text

/// The mistakes in a URL.
extension SignatureMismatch {
    /// Paths that clients have encoded once more, or have decoded in another way.
    var paths: [Variation] {
        let (path, query) = (request.target.prefix { $0 != Self.mark }, request.target.drop { $0 != Self.mark })
        let slash = UInt8(ascii: "/")
        let variations: [(path: [UInt8], sentence: String)] = [
            (
                PercentEncoding.decode(path) ?? [],
                "The path was percent-encoded again after it was signed; send the URL unchanged."
            ),
            (
                path.replacing("%", with: "%25"),
                "The path was signed with a second percent-encoding, which S3 does not use; encode it once."
            ),
            (path.replacing("+", with: "%20"), "A space of the path was sent as +; send %20."),
            (path.replacing("%20", with: "+"), "A + of the path was sent as a space; send %2B."),
            (Array(path) + [slash], "The path was signed with a slash at the end."),
            (Array(path.last == slash ? path.dropLast() : path), "The path was signed without the slash at the end."),
        ]
        return variations.filter { !$0.path.elementsEqual(path) }
            .map { Variation(request: request.with(target: $0.path + query), sentence: $0.sentence) }
    }

    /// The path that clients used, if the proxy reports the beginning that it removed.
    var reportedPaths: [Variation] { paths(after: [forwarded.prefix].compactMap(\.self)) }

    /// The path that clients used, if a proxy removed a beginning that is often used.
    var removedPaths: [Variation] { paths(after: Self.removedPrefixes.map { "/" + $0 }) }

    private func paths(after prefixes: [String]) -> [Variation] {
        let hosts = [request.host] + [forwarded.host].compactMap(\.self)
        return hosts.flatMap { host in
            prefixes.map { prefix in
                Variation(
                    request: request.with(host: host, target: Array(prefix.utf8) + request.target),
                    sentence:
                        "The path was signed with \(prefix) before it, which a proxy removed; set `signedEndpoint` of"
                        + " the store to the address that the storage sees.")
            }
        }
    }

    /// The names of paths at which proxies often serve a storage.
    private static let removedPrefixes = [
        "storage", "s3", "minio", "files", "media", "objects", "data", "assets", "uploads", "bucket", "static", "api",
        "cdn", "store", "buckets", "download", "downloads", "images",
    ]

    /// Queries without a parameter that was added, with one that was removed, or with another lifetime.
    var parameters: [Variation] {
        let parts = request.target.drop { $0 != Self.mark }.dropFirst().split(separator: UInt8(ascii: "&")).map(
            Array.init)
        let added = parts.filter { !Self.isSignatureParameter($0) }.prefix(16)
        var variations = added.map { part in
            variation(parts.filter { $0 != part }, "The parameter \(Self.name(of: part)) was not signed; remove it.")
        }
        if added.count > 1 {
            let names = added.map(Self.name).joined(separator: ", ")
            variations.append(
                variation(
                    parts.filter(Self.isSignatureParameter), "The parameters \(names) were not signed; remove them."))
        }
        for missing in ["uploads=", "list-type=2", "x-id=GetObject", "x-id=PutObject"] {
            variations.append(
                variation(
                    parts + [Array(missing.utf8)],
                    "The parameter \(missing) was signed, but the request does not have it."))
        }
        let query = parts.map { $0[...].replacing("+", with: "%20") }
        if query != parts { variations.append(variation(query, "A space of the query was sent as +; send %20.")) }
        return variations + lifetimes(parts)
    }

    private func lifetimes(_ parts: [[UInt8]]) -> [Variation] {
        let name = Array("X-Amz-Expires=".utf8)
        guard let index = parts.firstIndex(where: { $0.starts(with: name) }) else { return [] }
        let sent = String(decoding: parts[index].dropFirst(name.count), as: UTF8.self)
        return [60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 18000, 43200, 86400, 604_800].map { seconds in
            var changed = parts
            changed[index] = name + "\(seconds)".utf8
            return variation(changed, "X-Amz-Expires was signed as \(seconds), but is \(sent).")
        }
    }

    private func variation(_ parts: [[UInt8]], _ sentence: String) -> Variation {
        let path = request.target.prefix { $0 != Self.mark }
        let target = Array(path) + [Self.mark] + parts.joined(separator: [UInt8(ascii: "&")])
        return Variation(request: request.with(target: target), sentence: sentence)
    }

    private static let mark = UInt8(ascii: "?")

    private static func isSignatureParameter(_ part: [UInt8]) -> Bool {
        part.span.startsIgnoringCase(with: "x-amz-")
    }

    private static func name(of part: [UInt8]) -> String {
        String(decoding: part.prefix { $0 != UInt8(ascii: "=") }.prefix(64), as: UTF8.self)
    }
}

/// The mistakes in headers.
extension SignatureMismatch {
    /// The signed headers with other values that clients often send by mistake.
    func headers(of request: Request) -> [Variation] {
        signedHeaders.flatMap { header -> [Variation] in
            let name = String(decoding: header, as: UTF8.self)
            let others = request.headers.filter { $0.name != header }
            let sent = request.headers.first { $0.name == header }.map { String(decoding: $0.value, as: UTF8.self) }
            return Self.values(of: name, sent: sent).filter { $0 != sent }.map { value in
                Variation(
                    request: request.with(headers: others + [(header, Array(value.utf8))]),
                    sentence: "The header \(name) was signed as \(value), but "
                        + (sent.map { "is \($0)." } ?? "the request does not have it."))
            }
        }
    }

    private static func values(of name: String, sent: String?) -> [String] {
        switch name {
        case "content-type":
            let essence = sent.map { String($0.prefix { $0 != ";" }) }
            return (essence.map { [$0, $0 + "; charset=utf-8", $0 + ";charset=utf-8", $0 + "; charset=UTF-8"] } ?? [])
                + types
        case "content-length":
            // Tools add or remove the line feed at the end of a text.
            return sent.flatMap { Int($0) }.map { ["\($0 - 1)", "\($0 + 1)"] } ?? []
        case "if-none-match": return ["*"]
        default: return []
        }
    }

    private static let types = [
        "application/octet-stream", "text/plain", "text/html", "text/csv", "text/css", "text/javascript",
        "application/json", "application/xml", "application/pdf", "application/zip", "application/gzip",
        "application/x-www-form-urlencoded", "application/vnd.apache.parquet", "image/png", "image/jpeg", "image/gif",
        "image/webp", "image/svg+xml", "audio/mpeg", "video/mp4",
    ]
}

extension ArraySlice<UInt8> {
    /// Returns the bytes with each occurrence of `text` replaced.
    fileprivate func replacing(_ text: String, with other: String) -> [UInt8] {
        Array(replacing(Array(text.utf8), with: Array(other.utf8)))
    }
}
