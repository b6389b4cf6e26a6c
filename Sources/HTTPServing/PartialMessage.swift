/// A request that is not complete, or that has to wait, with the parser that has seen its bytes. Only connections in that
/// state own one.
final class PartialMessage {
    var request: HTTPRequest
    var parser: RequestParser

    init(request: HTTPRequest, parser: RequestParser) {
        self.request = request
        self.parser = parser
    }
}
