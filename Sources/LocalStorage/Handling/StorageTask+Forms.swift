import DataFormats
import HTTP1
import Presigning
import Text

extension StorageTask {
    /// Returns the response to a form: a redirect, an XML document, or an empty response, as its fields ask for.
    ///
    /// Source: Amazon S3 API reference, "POST Object".
    func formResponse(_ footer: ObjectFooter, _ form: PostForm) throws(S3Error) -> HTTPResponse {
        if let target = form["success_action_redirect"] ?? form["redirect"] {
            var response = HTTPResponse(status: 303)
            guard response.add("location", redirect(to: target, footer)) else {
                throw .invalidArgument(
                    "The value contains a control character.", name: "success_action_redirect", value: target)
            }
            return response
        }
        let status = form["success_action_status"].map { String(decoding: $0, as: UTF8.self) }
        var response = status == "201" ? createdDocument(footer) : HTTPResponse(status: status == "200" ? 200 : 204)
        response.add("etag", Self.quoted(footer.entityTag))
        response.add("location", objectURL)
        Self.addEncryption(of: footer, to: &response)
        return response
    }

    private func createdDocument(_ footer: ObjectFooter) -> HTTPResponse {
        var response = Self.document("PostResponse", namespace: nil) { xml in
            xml.element("Location", objectURL)
            xml.element("Bucket", bucket)
            xml.element("Key", key)
            xml.element("ETag", Self.quoted(footer.entityTag))
        }
        response.status = 201
        return response
    }

    private var objectURL: [UInt8] {
        origin + [ASCII.slash] + PercentEncoding.path.encode(bucket) + [ASCII.slash] + PercentEncoding.path.encode(key)
    }

    /// Returns the URL with the object's bucket, key and entity tag added to its query.
    private func redirect(to target: [UInt8], _ footer: ObjectFooter) -> [UInt8] {
        let parameters = [("bucket", bucket), ("key", key), ("etag", Self.quoted(footer.entityTag))]
        let query = parameters.map { Array("\($0)=".utf8) + PercentEncoding.query.encode($1) }
        let separator = target.contains(ASCII.question) ? UInt8(ascii: "&") : ASCII.question
        return target + [separator] + Array(query.joined(separator: "&".utf8))
    }
}
