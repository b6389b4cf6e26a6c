import Foundation
import Presigning
import TestSupport
import Testing

/// Judges a URL as the storage would.
///
/// - Parameters:
///   - headers: what the client sends with it.
///   - time: nil means now.
func verification(
    of url: String, method: String, headers: [String: String] = [:], at time: SigningTime? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> PresignedURLVerification {
    let scheme = try #require(url.range(of: "://"), sourceLocation: sourceLocation)
    let slash = try #require(url[scheme.upperBound...].firstIndex(of: "/"), sourceLocation: sourceLocation)
    let request = PresignedURLVerifier.Request(
        method: method, host: String(url[scheme.upperBound..<slash]), target: Array(url[slash...].utf8),
        headers: headers.map { ($0.key, $0.value) })
    let credentials = try Credentials(
        accessKeyID: "AKIDLIVE", secretAccessKey: LiveConfiguration.secret)
    let now = SigningTime(secondsSince1970: Int64(Date().timeIntervalSince1970))
    return PresignedURLVerifier().verify(request, at: time ?? now) {
        $0 == Array("AKIDLIVE".utf8) ? credentials.secretAccessKey : nil
    }
}

/// Holds an answer to what it says about its URL, and gives it back.
@discardableResult
func verified(
    _ response: RawResponse, sourceLocation: SourceLocation = #_sourceLocation
) throws -> PresignBody {
    #expect(response.status == 200, "\(response.text)", sourceLocation: sourceLocation)
    let answer = try response.answer()
    let verdict = try verification(
        of: answer.url, method: answer.method, headers: answer.headers, sourceLocation: sourceLocation)
    #expect(verdict == .valid, sourceLocation: sourceLocation)
    #expect(answer.query["X-Amz-Expires"] == "\(answer.expiresIn)", sourceLocation: sourceLocation)
    let signed = answer.headers.keys.sorted() + ["host"]
    #expect(
        answer.query["X-Amz-SignedHeaders"] == signed.sorted().joined(separator: ";"), sourceLocation: sourceLocation)
    let end = try #require(SigningTime(rfc3339: answer.expiresAt), sourceLocation: sourceLocation)
    let last = try verification(of: answer.url, method: answer.method, headers: answer.headers, at: end)
    let late = try verification(
        of: answer.url, method: answer.method, headers: answer.headers, at: end.advanced(bySeconds: 1))
    #expect(last == .valid && late == .expired, sourceLocation: sourceLocation)
    return answer
}

extension PresignBody {
    /// The URL's query, decoded.
    var query: [String: String] { queryItems(of: url) }
}

func queryItems(of url: String) -> [String: String] {
    let items = URLComponents(string: url)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first + "!repeated" })
}
