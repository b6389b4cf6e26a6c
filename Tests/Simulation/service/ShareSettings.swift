import Foundation
import Presigning
import Requests

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport

/// A share link that the service has made.
struct ShareLink {
    let token: String
    let id: String
    /// The request that made it.
    let request: DecisionRequest
    let created, expires: SigningTime

    init(_ link: MintedLink, of request: DecisionRequest, until expires: SigningTime) {
        (token, id, self.request, self.expires) = (link.token, link.id, request, expires)
        created = expires.advanced(bySeconds: -link.expiresIn)
    }

    var isUpload: Bool { request.naive.action == "write" }

    /// The id of the key that sealed it, which stands in the token after a version and its own length.
    var keyID: String {
        let padding = String(repeating: "=", count: (4 - token.count % 4) % 4)
        let text = token.replacing("-", with: "+").replacing("_", with: "/") + padding
        let bytes = Array(Data(base64Encoded: text) ?? Data())
        guard bytes.count > 2 else { return "" }
        return String(decoding: bytes.dropFirst(2).prefix(Int(bytes[1])), as: UTF8.self)
    }

    /// The maker's name in the log.
    var maker: String { request.caller.label }
}

/// The section `shares` of a configuration.
struct ShareSettings {
    enum Revocation {
        case share(String), caller(String), path([String]), before(SigningTime)
    }

    /// The ids of the keys; the first seals new links.
    private(set) var keys = ["first"]
    private(set) var revoked: [Revocation] = []

    /// The content of the key files.
    static let files = Dictionary(
        uniqueKeysWithValues: zip(names, ["A", "B", "C"]).map { name, letter in
            ("share-" + name, "pshk_" + String(repeating: letter, count: 42) + "Q")
        })

    private static let names = ["first", "second", "third"]

    /// - Parameters:
    ///   - last: the settings before; nil at first.
    ///   - links: the links that exist.
    init(_ random: inout RandomPolicy, after last: ShareSettings?, _ links: [ShareLink]) {
        guard let last else { return }
        self = last
        // A new key goes in front; the oldest is removed at some time.
        if random.one(of: [true, false, false]), let name = Self.names.first(where: { !keys.contains($0) }) {
            keys.insert(name, at: 0)
        } else if keys.count > 1, random.one(of: [true, false]) {
            keys.removeLast()
        }
        if random.one(of: [true, false, false, false]) { revoked = [] }
        guard !links.isEmpty, random.one(of: [true, true, false]) else { return }
        let link = random.one(of: links)
        revoked.append(
            random.one(of: [
                .share(link.id), .share(link.id), .caller(link.maker), .path(random.denial().path),
                .before(link.created), .before(link.created.advanced(bySeconds: 1)),
            ]))
    }

    var yaml: String {
        let keys = keys.map { "{id: \($0), file: share-\($0)}" }.joined(separator: ", ")
        let items = revoked.map {
            switch $0 {
            case .share(let id): "{share: \"\(id)\"}"
            case .caller(let name): "{caller: \"\(name)\"}"
            case .path(let path): "{path: \"\(path.joined(separator: "/"))\"}"
            case .before(let time): "{before: \"\(time.rfc3339Text)\"}"
            }
        }
        return "shares: {url: \"https://share.test\", keys: [\(keys)], revoked: [\(items.joined(separator: ", "))]}"
    }

    /// Whether an item revokes the link.
    func revokes(_ link: ShareLink) -> Bool {
        revoked.contains {
            switch $0 {
            case .share(let id): id == link.id
            case .caller(let name): name == link.maker
            case .path(let path): NaivePolicy.denial(path, link.request.naive.path)
            case .before(let time): link.created < time
            }
        }
    }
}
