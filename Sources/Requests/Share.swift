package import Presigning

/// What a share link holds: one object, what may be done with it, who made the link, and when.
package struct Share: Sendable {
    /// The store's name.
    package var store: String
    /// The object's path, UTF-8, without the store's prefix.
    package var path: [UInt8]
    /// Whether the link is for uploads instead of downloads.
    package var isUpload = false
    /// The types that an upload may have; nil if the link does not limit them.
    package var types: MediaRange?
    /// The maximum size of an upload in bytes; nil if the link does not limit it.
    package var maximumSize: Int64?
    /// Whether an upload must not replace an existing object.
    package var keepsExisting = false
    /// The caller who made the link: of an API key only the id, otherwise what was known of the caller then.
    package var minter: Caller
    /// When the link was made, and when it ends.
    package var created, expires: SigningTime

    package init(
        of path: [UInt8], in store: String, by minter: Caller, from created: SigningTime, until expires: SigningTime
    ) {
        (self.path, self.store, self.minter, self.created, self.expires) = (path, store, minter, created, expires)
    }

    /// The methods with which the link can be used.
    package var allow: String { isUpload ? "PUT, OPTIONS" : "GET, HEAD, OPTIONS" }
}

/// The binary form of a share: a byte of flags, then numbers (LEB128) and texts with their lengths in a fixed order.
extension Share {
    private enum Flag {
        static let isUpload: UInt8 = 1
        static let keepsExisting: UInt8 = 2
        static let hasTypes: UInt8 = 4
        static let hasMaximumSize: UInt8 = 8
        static let all: UInt8 = 15
    }

    /// The binary form.
    package var encoded: [UInt8] {
        var flags: UInt8 = 0
        if isUpload { flags |= Flag.isUpload }
        if keepsExisting { flags |= Flag.keepsExisting }
        if types != nil { flags |= Flag.hasTypes }
        if maximumSize != nil { flags |= Flag.hasMaximumSize }
        var writer = ShareWriter(bytes: [flags])
        writer.append(created.secondsSince1970)
        writer.append(created.seconds(until: expires))
        writer.append(Array(store.utf8))
        writer.append(path)
        if let types { writer.append(Array(types.description.utf8)) }
        if let maximumSize { writer.append(maximumSize) }
        writer.append(minter)
        return writer.bytes
    }

    /// Reads the binary form; nil if it is not what `encoded` returns.
    package init?(decoding bytes: [UInt8]) {
        guard let flags = bytes.first, flags & ~Flag.all == 0 else { return nil }
        var reader = ShareReader(rest: bytes.dropFirst())
        guard let created = reader.number(), let lifetime = reader.number(), let store = reader.text(),
            let path = reader.bytes(), SigningTime.representable.contains(created),
            SigningTime.representable.contains(lifetime)
        else { return nil }
        let start = SigningTime(secondsSince1970: created)
        self.init(
            of: path, in: store, by: .guest, from: start, until: start.advanced(bySeconds: Int(lifetime)))
        isUpload = flags & Flag.isUpload != 0
        keepsExisting = flags & Flag.keepsExisting != 0
        if flags & Flag.hasTypes != 0 {
            guard let range = reader.text().flatMap({ MediaRange($0) }) else { return nil }
            types = range
        }
        if flags & Flag.hasMaximumSize != 0 {
            guard let size = reader.number() else { return nil }
            maximumSize = size
        }
        guard let minter = reader.caller(), reader.rest.isEmpty else { return nil }
        self.minter = minter
    }
}

/// Who made a link, by how the caller was authenticated.
private enum MinterKind: Int64 {
    case apiKey, token, proxy, certificate
}

private struct ShareWriter {
    var bytes: [UInt8]

    /// Appends a number that is not negative, 7 bits a byte, the low ones first.
    mutating func append(_ number: Int64) {
        var rest = UInt64(number)
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func append(_ text: [UInt8]) {
        append(Int64(text.count))
        bytes += text
    }

    mutating func append(_ texts: [[UInt8]]) {
        append(Int64(texts.count))
        for text in texts { append(text) }
    }

    mutating func append(_ caller: Caller) {
        if let id = caller.apiKeyID {
            append(MinterKind.apiKey.rawValue)
            append(id)
        } else if let token = caller.token {
            append(MinterKind.token.rawValue)
            append(Array(token.issuerName.utf8))
            append([token.subject].compactMap(\.self))
            // The identity is usually the subject, which is then not repeated.
            let repeats = caller.identity != nil && caller.identity == token.subject
            append(repeats ? 1 : 0)
            if !repeats { append([caller.identity].compactMap(\.self)) }
            append(caller.groups)
            append(caller.claims.flatMap { [$0.name, $0.value] })
        } else if caller.scheme == .mutualTLS {
            append(MinterKind.certificate.rawValue)
            append(caller.identity ?? [])
        } else {
            append(MinterKind.proxy.rawValue)
            append(caller.identity ?? [])
            append(caller.groups)
        }
    }
}

private struct ShareReader {
    var rest: ArraySlice<UInt8>

    mutating func number() -> Int64? {
        var (number, shift) = (UInt64(0), UInt64(0))
        while shift < 63, let byte = rest.popFirst() {
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return Int64(number) }
            shift += 7
        }
        return nil
    }

    mutating func bytes() -> [UInt8]? {
        guard let count = number(), count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    mutating func text() -> String? { bytes().flatMap { String(validating: $0, as: UTF8.self) } }

    mutating func list() -> [[UInt8]]? {
        guard let count = number(), count <= rest.count else { return nil }
        var items: [[UInt8]] = []
        for _ in 0..<count {
            guard let item = bytes() else { return nil }
            items.append(item)
        }
        return items
    }

    mutating func caller() -> Caller? {
        switch number().flatMap({ MinterKind(rawValue: $0) }) {
        case .apiKey: return text().map { Caller(apiKeyID: $0, identity: nil) }
        case .certificate: return bytes().map { Caller(certificate: $0) }
        case .proxy:
            guard let identity = bytes(), let groups = list() else { return nil }
            return Caller(proxied: identity, groups: groups)
        case .token:
            guard let issuer = text(), let subject = list(), let repeats = number(),
                let identity = repeats == 1 ? subject : list(), let groups = list(), let claims = list(),
                claims.count.isMultiple(of: 2)
            else { return nil }
            let token = Caller.Token(
                issuerName: issuer, issuer: [], subject: subject.first, keyID: nil, tokenID: nil, expiry: 0)
            return Caller(
                token: token, identity: identity.first, groups: groups,
                claims: stride(from: 0, to: claims.count, by: 2).map {
                    Caller.Claim(name: claims[$0], value: claims[$0 + 1])
                }, isGuest: false)
        case nil: return nil
        }
    }
}
