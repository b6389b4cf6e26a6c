import DataFormats
import HTTP1
import Presigning
import Text

/// The headers that all responses to one request share: the ids, the server's name and the CORS grant.
struct ResponseFrame: Sendable {
    let requestID: String
    let crossOrigin: CrossOrigin
    let origin: [UInt8]?
    /// Nil if the head could not be parsed.
    let method: HTTPMethod?
    /// The path as sent, without the query, which contains the signature.
    let path: [UInt8]
    /// The regions of the buckets.
    let regions: [[UInt8]: String]
    let report: @Sendable (String) -> Void

    /// Returns the response with these headers.
    func finish(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.add("x-amz-request-id", requestID)
        response.add("x-amz-id-2", Self.hostID)
        response.add("server", Self.hostID)
        crossOrigin.decorate(&response, for: origin)
        return response
    }

    /// Returns the response to a failed request: an XML document, or for HEAD, whose responses have no body, the message
    /// as a header. Reports statuses of 500 and above.
    func response(_ error: S3Error) -> HTTPResponse {
        if error.status >= 500 { report("\(subject) \(error.status) \(error.code): \(error.message)") }
        var response = HTTPResponse(status: error.status)
        if method != .head {
            response.body = document(error)
            response.add("content-type", "application/xml")
        } else {
            response.add("x-amz-error-message", error.message)
        }
        if let (name, value) = error.header { response.add(name, value) }
        // SDKs that sign for another region, or without access, look here for the right one.
        if [400, 403].contains(error.status), let region { response.add("x-amz-bucket-region", region) }
        return finish(response)
    }

    /// The region of the bucket in the path; nil for an unknown bucket.
    private var region: String? {
        PercentEncoding.decode(path.dropFirst().prefix { $0 != ASCII.slash }).flatMap { regions[$0] }
    }

    /// Reports a failed cleanup to the operator. The request itself has succeeded.
    func reportFailedCleanup(_ error: S3Error) {
        report("\(subject) succeeded, but its cleanup failed: \(error.code): \(error.message)")
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
