import DataFormats
import HTTP1

/// What every answer to one request has besides its own: ids, the server's name, and the grant to its web origin.
struct ResponseFrame: Sendable {
    let requestID: String
    let crossOrigin: CrossOrigin
    let origin: [UInt8]?
    /// Nil when the head could not be read.
    let method: HTTPMethod?
    /// As sent, without the query, which holds the signature.
    let path: [UInt8]
    let report: @Sendable (String) -> Void

    /// Adds it to an answer.
    func finish(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.add("x-amz-request-id", requestID)
        response.add("x-amz-id-2", Self.hostID)
        response.add("server", Self.hostID)
        crossOrigin.decorate(&response, for: origin)
        return response
    }

    /// The document of an error; an answer to HEAD has none.
    func response(_ error: S3Error) -> HTTPResponse {
        if error.status >= 500 { report("\(subject) \(error.status) \(error.code): \(error.message)") }
        var response = HTTPResponse(status: error.status)
        if method != .head {
            response.body = document(error)
            response.add("content-type", "application/xml")
        }
        if let (name, value) = error.header { response.add(name, value) }
        return finish(response)
    }

    /// Tells the operator of a failure that changes nothing of the answer.
    func reportUntidied(_ error: S3Error) {
        report("\(subject) was carried out, but not tidied up after: \(error.code): \(error.message)")
    }

    private var subject: String {
        "\(requestID) \(method?.description ?? "-") \(path.isEmpty ? "-" : String(decoding: path, as: UTF8.self))"
    }

    private func document(_ error: S3Error) -> [UInt8] {
        var xml = XMLWriter()
        xml.element("Error") { xml in
            xml.element("Code", error.code)
            xml.element("Message", error.message)
            for (name, value) in error.details { xml.element(name, value) }
            xml.element("RequestId", requestID)
            xml.element("HostId", Self.hostID)
        }
        return xml.bytes
    }

    private static let hostID = "presign-local"
}
