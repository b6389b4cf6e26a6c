import Text

/// The header fields that the code reads by name. The parser recognizes each once.
package enum HTTPFieldName: UInt8, Sendable {
    case accept
    case accessControlRequestHeaders
    case accessControlRequestMethod
    case apiKey
    case authorization
    case connection
    case contentEncoding
    case contentLength
    case contentType
    case expect
    case host
    case origin
    case requestID
    case traceParent
    case transferEncoding
    case userAgent

    /// Recognizes a name in any letter case (RFC 9110 5.1); nil for a name that is not listed.
    package init?(_ name: Span<UInt8>) {
        switch name.count {
        case 4 where name.equalsIgnoringCase("host"): self = .host
        case 6 where name.equalsIgnoringCase("accept"): self = .accept
        case 6 where name.equalsIgnoringCase("expect"): self = .expect
        case 6 where name.equalsIgnoringCase("origin"): self = .origin
        case 9 where name.equalsIgnoringCase("x-api-key"): self = .apiKey
        case 10 where name.equalsIgnoringCase("connection"): self = .connection
        case 10 where name.equalsIgnoringCase("user-agent"): self = .userAgent
        case 11 where name.equalsIgnoringCase("traceparent"): self = .traceParent
        case 12 where name.equalsIgnoringCase("content-type"): self = .contentType
        case 12 where name.equalsIgnoringCase("x-request-id"): self = .requestID
        case 13 where name.equalsIgnoringCase("authorization"): self = .authorization
        case 14 where name.equalsIgnoringCase("content-length"): self = .contentLength
        case 16 where name.equalsIgnoringCase("content-encoding"): self = .contentEncoding
        case 17 where name.equalsIgnoringCase("transfer-encoding"): self = .transferEncoding
        case 29 where name.equalsIgnoringCase("access-control-request-method"): self = .accessControlRequestMethod
        case 30 where name.equalsIgnoringCase("access-control-request-headers"): self = .accessControlRequestHeaders
        default: return nil
        }
    }
}
