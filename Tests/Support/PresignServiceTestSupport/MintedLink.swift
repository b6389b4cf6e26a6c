/// The response to making a link.
struct MintedLink: Decodable {
    let url: String
    let id: String
    let method: String
    let expiresIn: Int
    let expiresAt: String

    var token: String { String(url.split(separator: "/").last ?? "") }
}
