import HTTPServing

/// What handling a request comes to.
enum RequestStep: ~Copyable {
    case answer(HTTPResponse)
    case wait(any PendingAnswer)
}
