import TestSupport

/// Generates almost valid requests from a seed.
struct RequestGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private static let methods = ["GET", "POST", "HEAD", "OPTIONS", "PUT", "BREW", "get", "CONNECT", "G T", ""]
    private static let targets = [
        "/", "/a?b", "*", "http://a/x", "HTTPS://[::1]:80", "http://u@a/", "a:80", "/%2F", "/%2", "/#", "/|", "",
        "//", "http://a?x", "/\u{e9}",
    ]
    private static let versions = ["HTTP/1.1", "HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/1.10", "http/1.1", "HTTP/1."]
    private static let hosts = [
        "a", "a:80", "a:", "a:65536", "a:000080", "", "a b", "[::1]", "[1:2:3:4:5:6:7:8]", "[::1.2.3.4]",
        "[::01.2.3.4]", "[1::2::3]", "[::1", "%41", "%4", "u@a", "[1:2:3:4:5:6:7::]", "[:1]", "[1:]", "[::1]a",
    ]
    private static let fields = [
        "Content-Length: 5", "Content-Length: 05", "content-length: +5", "Content-Length: 99999999999999999999",
        "Content-Length: 20000", "Content-Length: 5, 5", "Transfer-Encoding: chunked", "Transfer-Encoding: Chunked ",
        "transfer-encoding: gzip, chunked", "Transfer-Encoding: chunked,", "Transfer-Encoding: chunked;a", "X: a\tb",
        "X : a", ": a", "X", " X: a", "X:", "X: \u{e9}", "Connection: close", "Connection: keep-alive, Close",
        "Host: b", "X: " + String(repeating: "x", count: 90),
    ]
    private static let chunks = [
        "5\r\nabcde\r\n", "0\r\n\r\n", "0\r\nT: v\r\n\r\n", "5;a=b\r\nabcde\r\n", "05 ; a = \"b;\\\"\" ;c\r\nabcde\r\n",
        "5 \r\nabcde\r\n", "5;\r\nabcde\r\n", "5\nabcde\r\n", "00000000000000000005\r\nabcde\r\n", "4\r\nabcde\r\n",
        "fffffffffffffffff\r\n", "ffffffff\r\n", "0\r\nT : v\r\n\r\n", "000\r\n\r\n", "5;a=\"b\r\nabcde\r\n", "g\r\n",
    ]
    private static let noise: [UInt8] = [0, 9, 10, 13, 32, 34, 35, 44, 47, 48, 58, 59, 61, 63, 92, 127, 128, 255]

    /// Several messages in a row, some of them damaged.
    mutating func next() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) { bytes += message() }
        if chance(3) { bytes = damaged(bytes) }
        if chance(6) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
        return bytes
    }

    private mutating func message() -> [UInt8] {
        let isPlain = !chance(3)
        var lines = [
            isPlain
                ? "POST /x HTTP/1.1"
                : [pick(Self.methods), pick(Self.targets), pick(Self.versions)].joined(separator: " "),
            "Host: " + (isPlain ? "a" : pick(Self.hosts)),
        ]
        for _ in 0..<Int.random(in: 0...2, using: &random) { lines.append(pick(Self.fields)) }
        let isChunked = chance(2)
        lines.append(isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 5")
        if chance(8) { lines.swapAt(0, 1) }
        let head = (chance(8) ? "\r\n" : "") + lines.joined(separator: "\r\n") + "\r\n\r\n"
        guard isChunked else { return Array((head + "abcde").utf8) }
        let body = (0..<Int.random(in: 0...2, using: &random)).map { _ in pick(Self.chunks) }.joined()
        return Array((head + body + "0\r\n\r\n").utf8)
    }

    /// The bytes with one to three of them changed, duplicated or removed.
    mutating func damaged(_ input: [UInt8]) -> [UInt8] {
        var bytes = input
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0...3, using: &random) {
            case 0: bytes[index] = Self.noise[Int.random(in: 0..<Self.noise.count, using: &random)]
            case 1: bytes.insert(bytes[index], at: index)
            case 2: bytes.remove(at: index)
            default: bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return bytes
    }

    private mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }

    private mutating func pick(_ choices: [String]) -> String {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }
}
