/// The bytes of a request that is not complete, or that has to wait, with the parser that has seen them. Only
/// connections in that state own one.
final class PartialMessage {
    var bytes: [UInt8]
    var parser: RequestParser

    init(bytes: [UInt8], parser: RequestParser) {
        self.bytes = bytes
        self.parser = parser
    }
}
