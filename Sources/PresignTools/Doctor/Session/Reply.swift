import DataFormats
package import HTTPClient
package import Presigning
import Text

/// A storage's response to one request, as far as checks judge it.
package struct Reply: Sendable, Equatable {
    package let status: Int
    /// The header fields with their names in lower case.
    package let headers: [String: String]
    package let body: [UInt8]
    /// When it was received, by this machine's clock.
    package let time: SigningTime
    /// The code of an S3 error document; nil for any other body.
    package let code: String?

    package init(_ response: FetchResponse, at time: SigningTime) {
        (status, headers, body, self.time) = (response.status, response.headers, response.body, time)
        code = Self.code(in: response.body)
    }

    private static func code(in body: [UInt8]) -> String? {
        guard body.first == UInt8(ascii: "<"), let root = try? XMLReader.root(of: body),
            root.name.elementsEqual("Error".utf8), let code = root.text(of: "Code")
        else { return nil }
        // It is printed, so nothing but a name is taken from the storage.
        return String(decoding: code.filter(ASCII.isAlphanumeric).prefix(64), as: UTF8.self)
    }

    /// Whether the request succeeded. S3 can report the failure of a completion with 200 and an error document.
    package var isSuccess: Bool { 200..<300 ~= status && code == nil }

    /// Whether the storage refused the request, as opposed to failing or being busy. 501 refuses a feature.
    package var isRefusal: Bool { (400..<500 ~= status && status != 408 && status != 429) || status == 501 }

    /// Whether the storage found the signature or the permission missing.
    package var isDenial: Bool { [400, 401, 403].contains(status) }

    /// `403 AccessDenied`, or the status alone.
    package var summary: String { code.map { "\(status) \($0)" } ?? "\(status)" }

    /// The text of a child of the XML document in the body; nil if it is absent.
    package func element(_ name: String) -> String? {
        guard let root = try? XMLReader.root(of: body) else { return nil }
        return root.text(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The content that doctor uploaded, if the body is one of them.
    package var content: DoctorMark.Content? { DoctorMark.content(of: body) }
}
