import Foundation

/// A URL parsed by an independent reader: equal if scheme, host, path bytes and parameters are the same.
struct ComparableURL: Equatable {
    let origin: String
    let path: [UInt8]
    let parameters: [String]

    /// Parameters are compared as a set; the host ignores case and the scheme's default port.
    init(_ text: String) {
        let halves = text.split(separator: "?", maxSplits: 1).map(String.init)
        let parts = halves[0].split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        let authority = parts[2].lowercased()
        let port = parts[0] == "https:" ? ":443" : ":80"
        origin = parts[0] + "//" + (authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority)
        path = Array((parts.count > 3 ? parts[3] : "").utf8)
        parameters = halves.count > 1 ? halves[1].split(separator: "&").map(String.init).sorted() : []
    }
}
