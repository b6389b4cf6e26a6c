import Text

/// Judges what a browser would do with a response (WHATWG Fetch, "CORS protocol").
extension Verdict {
    /// A preflight for an upload.
    ///
    /// - Parameter headers: the header names that the upload has, in lower case.
    package static func preflight(_ reply: Reply, from origin: String, headers: [String]) -> Verdict {
        guard 200..<300 ~= reply.status else { return .notEnforced("responded \(reply.summary)") }
        if let reason = reply.refusesReading(from: origin) { return .notEnforced(reason) }
        let methods = reply.list("access-control-allow-methods")
        guard methods.contains("put") || methods.contains("*") else {
            return .notEnforced("Access-Control-Allow-Methods lacks PUT")
        }
        let allowed = reply.list("access-control-allow-headers")
        let missing = headers.filter { !allowed.contains($0) && !allowed.contains("*") }
        guard missing.isEmpty else {
            return .notEnforced("Access-Control-Allow-Headers lacks \(missing.joined(separator: ", "))")
        }
        return .enforced(reply.summary)
    }

    /// A response to a request with `Origin`: a page needs `ETag` of each part of a multipart upload.
    package static func exposedETag(_ reply: Reply, to origin: String) -> Verdict {
        if let reason = reply.refusesReading(from: origin) {
            return reply.isSuccess ? .notEnforced(reason) : .notPossible("responded \(reply.summary); \(reason)")
        }
        let exposed = reply.list("access-control-expose-headers")
        return exposed.contains("etag") || exposed.contains("*")
            ? .enforced(reply.summary) : .notEnforced("Access-Control-Expose-Headers lacks ETag")
    }
}

extension Reply {
    /// Why a page of the origin may not read the response; nil if it may.
    fileprivate func refusesReading(from origin: String) -> String? {
        switch headers["access-control-allow-origin"] {
        case nil: "Access-Control-Allow-Origin is missing"
        case "*", origin: nil
        default: "Access-Control-Allow-Origin names another origin"
        }
    }

    /// The elements of a comma-separated list in lower case; empty without the field.
    fileprivate func list(_ name: String) -> [String] {
        (headers[name] ?? "").utf8.split(separator: UInt8(ascii: ",")).map {
            String(decoding: ASCII.lowercased($0.filter { !ASCII.isBlank($0) }), as: UTF8.self)
        }
    }
}
