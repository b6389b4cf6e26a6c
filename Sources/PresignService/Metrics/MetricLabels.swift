import Presigning
import Text

extension Route {
    /// Its name in metrics.
    var text: StaticString {
        switch self {
        case .presign: "/presign"
        case .batch: "/presign/batch"
        case .link: "/o/{path}"
        case .page: "page"
        case .healthz: "/healthz"
        case .readyz: "/readyz"
        case .metrics: "/metrics"
        case .server: "*"
        case .other: "other"
        }
    }
}

/// The status codes that the service answers with, each with a place in a table of counters.
enum StatusPlace {
    /// In the order of their places; behind them stands the place of all others.
    static let codes = [
        200, 204, 307, 400, 401, 403, 404, 405, 408, 413, 414, 415, 417, 422, 429, 431, 500, 501, 502, 503, 504, 505,
    ]

    /// A switch, not a search: there is one for each request.
    static func place(of status: Int) -> Int {
        switch status {
        case 200: 0
        case 204: 1
        case 307: 2
        case 400: 3
        case 401: 4
        case 403: 5
        case 404: 6
        case 405: 7
        case 408: 8
        case 413: 9
        case 414: 10
        case 415: 11
        case 417: 12
        case 422: 13
        case 429: 14
        case 431: 15
        case 500: 16
        case 501: 17
        case 502: 18
        case 503: 19
        case 504: 20
        case 505: 21
        default: 22
        }
    }
}

/// The codes of problems, each with a place in a table of counters.
enum RefusalPlace {
    /// In the order of their places; behind them stands the place of all others.
    static let codes: [String] = [
        "validation", "malformed-request", "credentials-ambiguous", "proxy-headers", "credentials-missing",
        "credentials-invalid", "token-expired", "key-expired", "forbidden", "foreign-origin", "no-such-route",
        "key-not-found",
        "method-not-allowed", "timeout", "body-too-large", "target-too-long", "unsupported-media-type",
        "expectation-failed", "constraint", "rate-limited", "headers-too-large", "server-error", "not-implemented",
        "storage-denied", "storage-error", "storage-unreachable", "storage-timeout", "overloaded",
        "credentials-unavailable", "http-version",
    ]

    /// By the hash of `slot`, places plus one; 0 where there is none. A slot that is taken leads to the next.
    private static let table: [UInt8] = {
        var table = [UInt8](repeating: 0, count: 256)
        for (place, code) in codes.enumerated() {
            var slot = slot(of: code.utf8.span)
            while table[slot] != 0 { slot = (slot + 1) & 255 }
            table[slot] = UInt8(place + 1)
        }
        return table
    }()

    /// A refusal costs what an answer costs; comparing its code with one after the other would be felt.
    static func place(of code: String) -> Int {
        let bytes = code.utf8.span
        var slot = slot(of: bytes)
        while table[slot] != 0 {
            let place = Int(table[slot]) - 1
            if codes[place].utf8.span.equals(bytes) { return place }
            slot = (slot + 1) & 255
        }
        return codes.count
    }

    private static func slot(of code: Span<UInt8>) -> Int {
        guard code.count > 2 else { return 0 }
        return (code.count &* 17 &+ Int(code[0]) &* 5 &+ Int(code[code.count - 2]) &* 31) & 255
    }
}

extension AWSS3SigningOperation {
    /// The names in metrics, in the order of `place`.
    package static let names: [StaticString] = [
        "GetObject", "PutObject", "HeadObject", "DeleteObject", "CreateMultipartUpload", "UploadPart",
        "CompleteMultipartUpload", "AbortMultipartUpload", "ListParts",
    ]

    /// Its place in a table of counters.
    package var place: Int {
        switch self {
        case .getObject: 0
        case .putObject: 1
        case .headObject: 2
        case .deleteObject: 3
        case .createMultipartUpload: 4
        case .uploadPart: 5
        case .completeMultipartUpload: 6
        case .abortMultipartUpload: 7
        case .listParts: 8
        }
    }
}
