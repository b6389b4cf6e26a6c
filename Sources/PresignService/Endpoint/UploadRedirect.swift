import HTTP1
import Presigning
import Requests
import Text

/// Redirects of uploads, `PUT /o/{path}` and `PUT /s/{token}`. The client repeats its request at the storage, so the URL
/// is signed for the headers that the request has.
extension PresignRequest {
    /// Takes what the upload declares about itself.
    ///
    /// - Throws: `Problem` 411 for a body of unknown length.
    mutating func takeUpload(_ request: borrowing HTTPRequest) throws(Problem) {
        if request.headers.contains(.transferEncoding) { throw .lengthRequired }
        method = .put
        contentType = request.headers.text("content-type")
        contentLength = request.headers.first(.contentLength).flatMap { Int(canonicalDecimal: $0.span) }.map(Int64.init)
        checksumSHA256 = request.headers.text(ChecksumAlgorithm.sha256.header)
        ifNoneMatch = request.headers.text("if-none-match")
    }
}

extension HTTPRequest {
    /// Returns why the storage would refuse the repeated request, or could obey a header that is not signed; nil if it
    /// does neither.
    func refusalToRedirect(to url: PresignedURL) -> Problem? {
        let unsigned = method == .put ? amazonHeaders.filter { name in !url.headers.contains { $0.name == name } } : []
        guard unsigned.isEmpty else {
            return .validation(
                unsigned.map { FieldFailure($0, "is not allowed, because the storage would get it unsigned; omit it") })
        }
        return .missingHeaders(of: url) { headers.text($0) }
    }

    /// The names of the headers that have a meaning for a storage, in lower case.
    private var amazonHeaders: [String] {
        headers.filter { $0.name.span.startsIgnoringCase(with: "x-amz-") }
            .map { String(decoding: ASCII.lowercased($0.name), as: UTF8.self) }
            // CloudFront adds it on the way to presign, so the client does not repeat it.
            .filter { $0 != "x-amz-cf-id" }
    }
}

extension Refusal {
    /// The refusal of an upload: 413 instead of 422 if its length is one of the reasons.
    func ofUpload(_ request: HTTPRequest) -> Refusal {
        guard problem.code == .constraint, request.headers.contains(.contentLength),
            problem.errors.contains(where: { $0.field == "contentLength" })
        else { return self }
        return Refusal(.constraint(problem.errors, status: 413), reason)
    }
}

extension Problem {
    /// 422: signed headers that the client does not send, and that the response cannot make it send; nil if
    /// the client sends all.
    ///
    /// - Parameter sent: the value of a header that the client sends; its name is in lower case.
    static func missingHeaders(of url: PresignedURL, sent: (_ name: String) -> String?) -> Problem? {
        let missing = url.headers.filter { sent($0.name) != $0.value }
        guard !missing.isEmpty else { return nil }
        return .constraint(
            missing.map {
                FieldFailure(
                    $0.name, "send `\($0.name): \($0.value)`; this upload needs it, and a redirect cannot add it")
            })
    }

    /// 411: an upload of unknown length, which storages do not accept.
    fileprivate static let lengthRequired = Problem(
        411, .lengthRequired, "Length required", "The upload has no Content-Length, which the storage requires",
        recovery: "Send a file of known size (curl -T FILE instead of -T -).")
}
