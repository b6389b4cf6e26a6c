import Glibc

/// A request head as parsed by `NaiveReader`.
struct NaiveHead {
    typealias Stop = NaiveReader.Stop

    let method: [UInt8]
    let minorVersion: UInt8
    var fields: [(name: [UInt8], value: [UInt8])] = []
    private var path: [UInt8] = []
    private var query: [UInt8]?
    private var authority: [UInt8]?
    private(set) var length: Int?
    private(set) var isChunked = false

    init(method: [UInt8], minorVersion: UInt8) {
        self.method = method
        self.minorVersion = minorVersion
    }

    private func isMethod(_ name: String) -> Bool { method.elementsEqual(name.utf8) }

    /// RFC 9112 3.2.
    mutating func read(_ target: [UInt8]) throws(Stop) {
        if isMethod("CONNECT") { throw .refused(Grammar.isAuthority(target) ? 501 : 400) }
        let halves = target.split(separator: 63, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
        path = halves[0]
        query = halves.count > 1 ? halves[1] : nil
        if path == [42] {
            guard isMethod("OPTIONS"), query == nil else { throw .refused(400) }
        } else if path.first != 47 {
            let schemes = [Array("http://".utf8), Array("https://".utf8)]
            guard let scheme = schemes.first(where: { Grammar.lowercased(path).starts(with: $0) }) else {
                throw .refused(400)
            }
            let rest = path.dropFirst(scheme.count)
            let host = Array(rest.prefix { $0 != 47 })
            guard Grammar.isAuthority(host) else { throw .refused(400) }
            authority = host
            path = Array(rest.dropFirst(host.count))
        }
        guard Grammar.isPath(path), Grammar.isPath(query ?? []) else { throw .refused(400) }
        let known = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "QUERY", "TRACE"]
        guard known.contains(where: { isMethod($0) }) else { throw .refused(501) }
        if path.isEmpty { path = isMethod("OPTIONS") && query == nil ? [42] : [47] }
    }

    /// RFC 9112 5.1.
    static func field(_ line: [UInt8]) throws(Stop) -> (name: [UInt8], value: [UInt8]) {
        guard let colon = line.firstIndex(of: 58) else { throw .refused(400) }
        let name = Array(line[..<colon])
        guard Grammar.isToken(name) else { throw .refused(400) }
        return (name, Grammar.trimmed(Array(line[(colon + 1)...])))
    }

    /// RFC 9112 6.
    mutating func add(_ line: [UInt8]) throws(Stop) {
        let field = try Self.field(line)
        fields.append(field)
        switch text(field.name).lowercased() {
        case "content-length":
            guard length == nil, !field.value.isEmpty, field.value.allSatisfy({ 48...57 ~= $0 }),
                let number = Int(text(field.value))
            else { throw .refused(400) }
            length = number
        case "transfer-encoding":
            guard !isChunked else { throw .refused(400) }
            isChunked = true
            let codings = Grammar.lowercased(field.value).split(separator: 44, omittingEmptySubsequences: false)
                .map { Grammar.trimmed(Array($0)) }
            let chunked = Array("chunked".utf8)
            if codings == [chunked] { return }
            let isList = codings.allSatisfy { Grammar.isToken($0) } && !codings.dropLast().contains(chunked)
            throw .refused(isList ? 501 : 400)
        default: break
        }
    }

    /// Checks the requirements on the whole head. The authority of an absolute target replaces Host.
    mutating func check() throws(Stop) {
        if isChunked, length != nil || minorVersion == 0 { throw .refused(400) }
        let hosts = fields.indices.filter { text(fields[$0].name).lowercased() == "host" }
        guard hosts.count == 1 || hosts.isEmpty && minorVersion == 0 else { throw .refused(400) }
        guard let host = hosts.first else { return }
        guard Grammar.isAuthority(fields[host].value) else { throw .refused(400) }
        fields[host].value = authority ?? fields[host].value
    }

    func event(body: [UInt8]) -> ParserEvent {
        .request(
            method: text(method), path: text(path), query: query.map { text($0) },
            fields: fields.map { text($0.name) + "=" + text($0.value) }, body: text(body))
    }
}

/// Character classes and grammar rules, implemented with sets and splitting.
enum Grammar {
    static let letters = Set(Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8))
    static let digits = Set(Array("0123456789".utf8))
    static let hexadecimalDigits = Set(Array("0123456789abcdefABCDEF".utf8))
    static let token = letters.union(digits).union(Array("!#$%&'*+-.^_`|~".utf8))
    static let name = letters.union(digits).union(Array("-._~!$&'()*+,;=".utf8))

    static func isToken(_ bytes: [UInt8]) -> Bool { !bytes.isEmpty && bytes.allSatisfy { token.contains($0) } }

    static func lowercased(_ bytes: [UInt8]) -> [UInt8] { bytes.map { 65...90 ~= $0 ? $0 + 32 : $0 } }

    static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        let tail = bytes.drop { $0 == 32 || $0 == 9 }.reversed()
        return Array(Array(tail.drop { $0 == 32 || $0 == 9 }).reversed())
    }

    /// Whether the bytes consist of `allowed` and of `%` with two hexadecimal digits.
    static func isEscaped(_ bytes: [UInt8], _ allowed: Set<UInt8>) -> Bool {
        let parts = bytes.split(separator: 37, omittingEmptySubsequences: false)
        return parts.enumerated().allSatisfy { index, part in
            let escape = part.prefix(2)
            return part.dropFirst(index > 0 ? 2 : 0).allSatisfy { allowed.contains($0) }
                && (index == 0 || escape.count == 2 && escape.allSatisfy { hexadecimalDigits.contains($0) })
        }
    }

    static func isPath(_ bytes: [UInt8]) -> Bool { isEscaped(bytes, name.union(Array(":@/?".utf8))) }

    /// RFC 3986 3.2 without user information, and with a host.
    static func isAuthority(_ bytes: [UInt8]) -> Bool {
        var host = bytes
        if let colon = bytes.lastIndex(of: 58), bytes[colon...].allSatisfy({ $0 != 93 }) {
            let port = bytes[(colon + 1)...]
            guard port.allSatisfy({ digits.contains($0) }) else { return false }
            guard port.drop(while: { $0 == 48 }).count <= 5, (Int(text(port)) ?? 0) <= 65_535 else { return false }
            host = Array(bytes[..<colon])
        }
        guard host.first == 91 else { return !host.isEmpty && isEscaped(host, name) }
        return host.last == 93 && isIPv6(Array(host.dropFirst().dropLast()))
    }

    private static func isIPv6(_ bytes: [UInt8]) -> Bool {
        guard bytes.allSatisfy({ hexadecimalDigits.contains($0) || $0 == 58 || $0 == 46 }) else { return false }
        var address = in6_addr()
        // The C library decides; the text is NUL-terminated.
        return unsafe inet_pton(AF_INET6, text(bytes), &address) == 1
    }

    /// RFC 9112 7.1.1, byte by byte with the state of a quoted string.
    static func isChunkExtension(_ bytes: [UInt8]) -> Bool {
        if trimmed(bytes).isEmpty { return bytes.isEmpty }
        var parts: [[UInt8]] = [[]]
        var isQuoted = false
        var isEscaped = false
        for byte in bytes {
            if byte == 59, !isQuoted {
                parts.append([])
                continue
            }
            parts[parts.count - 1].append(byte)
            if isQuoted, byte == 92, !isEscaped {
                isEscaped = true
                continue
            }
            if byte == 34, !isEscaped { isQuoted.toggle() }
            isEscaped = false
        }
        guard !isQuoted, trimmed(parts[0]).isEmpty, let last = parts.last else { return false }
        // Blanks are allowed before `;` and around `=`, but not at the end of the line.
        guard last.last != 32, last.last != 9 else { return false }
        return parts.dropFirst().allSatisfy { part in
            let halves = part.split(separator: 61, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
            guard isToken(trimmed(halves[0])) else { return false }
            guard halves.count > 1 else { return true }
            let value = trimmed(halves[1])
            return isToken(value) || isQuotedString(value)
        }
    }

    private static func isQuotedString(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 2, bytes.first == 34, bytes.last == 34 else { return false }
        var inner = bytes.dropFirst().dropLast()
        while let byte = inner.popFirst() {
            if byte == 34 || byte == 92 && inner.popFirst() == nil { return false }
        }
        return true
    }
}
