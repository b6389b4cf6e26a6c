import Foundation

/// One request by the real curl, which repairs nothing: no globbing, the path as it is.
struct Curl {
    let status: Int
    /// Names in lower case; of several with one name the last.
    let headers: [String: String]
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    init(_ arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let head = folder.url.appendingPathComponent("head")
        let body = folder.url.appendingPathComponent("body")
        let run = try Subprocess(
            "/usr/bin/curl",
            [
                "-s", "-S", "-g", "--path-as-is", "--noproxy", "*", "-m", "30", "-D", head.path, "-o", body.path,
                "-w", "%{http_code}",
            ] + arguments)
        status = Int(run.text) ?? 0
        self.body = (try? Data(contentsOf: body)) ?? Data()
        var headers: [String: String] = [:]
        for line in String(decoding: (try? Data(contentsOf: head)) ?? Data(), as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers[line[..<colon].lowercased()] = value
        }
        self.headers = headers
    }

    /// Uploads bytes as a file, with these headers and no other of meaning.
    static func upload(_ content: Data, to url: String, headers: [String: String] = [:]) throws -> Curl {
        let folder = try TemporaryFolder()
        let file = try folder.file("upload", content)
        return try Curl(["-T", file, url] + headers.flatMap { ["-H", "\($0): \($1)"] })
    }

    static func download(_ url: String) throws -> Curl { try Curl([url]) }
}
