import Foundation
package import Presigning

/// The credentials that tests sign with.
package enum TestCredentials {
    package static let accessKeyID = "AKIDLIVE"
    package static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYLIVESECRET"
}

/// A string that is not an absolute URL.
package struct MalformedURL: Error {
    package let text: String
}

/// Verifies a URL the way a storage does.
///
/// - Parameters:
///   - headers: The headers that the client sends with it.
///   - time: The time of the request; nil means now.
///   - credentials: The credentials that the storage knows; nil means `TestCredentials`.
package func verification(
    of url: String, method: String, headers: [String: String] = [:], at time: SigningTime? = nil,
    _ credentials: Credentials? = nil
) throws -> PresignedURLVerification {
    guard let scheme = url.range(of: "://"), let slash = url[scheme.upperBound...].firstIndex(of: "/") else {
        throw MalformedURL(text: url)
    }
    let request = PresignedURLVerifier.Request(
        method: method, host: String(url[scheme.upperBound..<slash]), target: Array(url[slash...].utf8),
        headers: headers.map { ($0.key, $0.value) })
    let credentials =
        try credentials
        ?? Credentials(accessKeyID: TestCredentials.accessKeyID, secretAccessKey: TestCredentials.secret)
    let now = SigningTime(secondsSince1970: Int64(Date().timeIntervalSince1970))
    return PresignedURLVerifier().verify(request, at: time ?? now) {
        $0 == Array(credentials.accessKeyID.utf8) ? credentials.secretAccessKey : nil
    }
}

/// The decoded query of a URL; a duplicate name gets a value that says so.
package func queryItems(of url: String) -> [String: String] {
    let items = URLComponents(string: url)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first + "!repeated" })
}
