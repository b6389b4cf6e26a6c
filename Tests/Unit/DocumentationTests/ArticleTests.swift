import TestSupport
import Testing

@Suite("Articles of the library for apps")
struct ArticleTests {
    @Test("The SwiftUI sample of the article is the file that the workflow builds on macOS and for iOS")
    func sample() throws {
        let file = try Repository.text(of: "Tests/PresignClient/Sources/Gallery/UploadView.swift")
        let lines = file.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("#") }
        let sample = lines.map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0 }.joined(separator: "\n")
        let article = try Repository.text(of: "Sources/PresignClient/PresignClient.docc/FromAmplifyStorage.md")
        #expect(lines.count > 50)
        #expect(article.contains("```swift\n\(sample)```\n"))
    }
}
