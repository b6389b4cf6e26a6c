import Foundation
import TestSupport
import Testing

@Suite("Articles of the library for apps")
struct ArticleTests {
    @Test(
        "An article has the lines of Package.swift for its product, with the tools version and platforms of the package",
        arguments: [("PresignClient", true), ("Presigning", false)])
    func packageLines(product: String, hasPlatforms: Bool) throws {
        let package = try Repository.text(of: "Package.swift")
        let article = try Repository.text(of: "Sources/\(product)/\(product).docc/\(product).md")
        #expect(package.contains(".library(name: \"\(product)\"") && package.contains("name: \"presign\","))
        #expect(article.contains(".product(name: \"\(product)\", package: \"presign\")"))
        let tools = try #require(package.split(separator: "\n").first)
        #expect(article.contains("```swift\n\(tools)\n"))
        let platforms = try #require(package.split(separator: "\n").first { $0.contains("platforms: [") })
        #expect(article.contains(platforms.trimmingCharacters(in: .whitespaces)) == hasPlatforms)
    }

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
