import Foundation
import Testing
import UploadPage

@Suite("Assets of the upload page")
struct AssetTests {
    @Test(
        "Each path returns its content type and its file",
        arguments: [
            ("/", "text/html; charset=utf-8", "<!doctype html>"),
            ("/page/page.css", "text/css; charset=utf-8", "prefers-color-scheme: dark"),
            ("/page/rows.css", "text/css; charset=utf-8", ".file"),
            ("/page/main.js", "text/javascript; charset=utf-8", "fillTexts()"),
            ("/page/texts/de.js", "text/javascript; charset=utf-8", "export const words"),
            ("/presign.js", "text/javascript; charset=utf-8", "export { Presign } from"),
            ("/presign-worker.js", "text/javascript; charset=utf-8", "addEventListener(\"fetch\""),
            ("/presign.d.ts", "text/plain; charset=utf-8", "export class Presign {"),
            ("/js/client.js", "text/javascript; charset=utf-8", "export class Presign {"),
            ("/favicon.svg", "image/svg+xml", "<svg "),
        ])
    func types(path: String, contentType: String, text: String) throws {
        let asset = try #require(UploadPage.asset(at: path.utf8))
        #expect(asset.contentType == contentType)
        #expect(String(decoding: asset.bytes, as: UTF8.self).contains(text))
        #expect(asset.isPage == (path == "/"))
    }

    @Test(
        "Other paths have no asset",
        arguments: [
            "", "//", "/index.html", "/presign", "/Presign.js", "/presign.js/", "/../page.css", "page.css", "/page.css",
            "/js/", "/page/", "/page/client.js", "/js/main.js", "/v/", "/v//js/client.js", "/v/0", "/v/0/", "/v/0//",
            "/v/0/v/0/js/client.js", "/v/js/client.js",
        ])
    func otherPaths(path: String) {
        #expect(UploadPage.asset(at: path.utf8) == nil)
    }

    @Test("The page and presign.js refer to paths with the version, whose files never change")
    func versions() throws {
        for path in ["/", "/presign.js"] {
            let text = String(decoding: try #require(UploadPage.asset(at: path.utf8)).bytes, as: UTF8.self)
            let references = text.matches(of: /(?:href|src)="([^"#]*)"|export .* from "(\.\.?\/[^"]*)"/).compactMap {
                $0.1 ?? $0.2
            }
            #expect(references.count > 2)
            for reference in references {
                let asset = try #require(UploadPage.asset(at: absolute(String(reference), from: path).utf8))
                #expect(asset.isImmutable && !asset.isPage)
                let other = absolute(String(reference), from: path).replacing(/\/v\/[0-9a-f]+\//, with: "/v/0/")
                let replica = try #require(UploadPage.asset(at: other.utf8))
                #expect(!replica.isImmutable && replica.bytes == asset.bytes && replica.entityTag == asset.entityTag)
            }
        }
    }

    @Test("The page preloads the modules that every visit needs, and no others")
    func preloads() throws {
        let page = try text(of: "/")
        let preloaded = page.matches(
            of: /<link rel="modulepreload"(?: fetchpriority="low")? href="v\/[0-9a-f]+(\/[^"]*)">/
        ).map { String($0.1) }
        // transfers.js follows when the folder is shown.
        var needed: Set = ["/page/main.js", "/page/transfers.js"], unread = needed
        while let module = unread.popFirst() {
            let imports = try text(of: module).matches(of: /(?m)^(?:import|\}|export)\b.* from "(\.\.?\/[^"]*)"/)
            for found in imports.map({ absolute(String($0.1), from: module) }) {
                if needed.insert(found).inserted { unread.insert(found) }
            }
        }
        #expect(needed.count > 30 && !needed.contains("/js/signin.js"))
        #expect(preloaded.sorted() == needed.sorted())
    }

    @Test("All referenced files exist, and nothing is loaded from other origins")
    func references() throws {
        for path in UploadPage.paths {
            let text = String(decoding: try #require(UploadPage.asset(at: path.utf8)).bytes, as: UTF8.self)
            for match in text.matches(of: /(?:href|src)="([^"#]*)"|from "(\.\.?\/[^"]*)"/) {
                let name = try #require(match.1 ?? match.2)
                let target = absolute(String(name), from: path)
                #expect(UploadPage.asset(at: target.utf8) != nil, "\(path) refers to \(name)")
            }
        }
    }

    private func text(of path: String) throws -> String {
        String(decoding: try #require(UploadPage.asset(at: path.utf8)).bytes, as: UTF8.self)
    }

    /// Resolves a relative reference, which may begin with `./` or `../`.
    private func absolute(_ reference: String, from path: String) -> String {
        URL(string: reference, relativeTo: URL(string: "http://host\(path)"))?.path() ?? ""
    }

    @Test("The settings are in the head of the page, and cannot end their attribute")
    func settings() throws {
        let page = String(decoding: UploadPage.page(settings: #"{"a":"&<\">"}"#), as: UTF8.self)
        let meta = #"<meta name="presign-page" content="{&quot;a&quot;:&quot;&amp;<\&quot;>&quot;}">"#
        #expect(page.contains(meta + "\n</head>"))
        #expect(page.matches(of: /<\/head>/).count == 1)
        let plain = String(decoding: try #require(UploadPage.asset(at: "/".utf8)).bytes, as: UTF8.self)
        #expect(page.replacing(meta + "\n", with: "") == plain)
    }

    @Test("Scripts and style sheets of the page have no comments and no indentation; presign.js keeps them")
    func compact() throws {
        for path in UploadPage.paths where path.hasPrefix("/page/") {
            let lines = try text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count > 2 && !lines.contains { $0.isEmpty || $0.hasPrefix(" ") }, "\(path)")
            #expect(!lines.contains { $0.hasPrefix("/*") || $0.hasPrefix("//") || $0.hasSuffix("*/") }, "\(path)")
        }
        #expect(try text(of: "/page/page.css").contains("\n*, ::before, ::after {"))
        #expect(try text(of: "/js/client.js").contains("/** A client for a presign service. */"))
    }

    @Test("Every language has the same texts as English", arguments: UploadPage.languages)
    func languages(language: String) throws {
        #expect(UploadPage.languages.contains("en") && UploadPage.languages.contains("de"))
        // A section, and the names of its texts.
        let keys = try [language, "en"].map { language in
            try text(of: "/page/texts/\(language).js").split(separator: "\nexport const ").dropFirst().map { section in
                let end = try #require(section.firstRange(of: "\n};"))
                let names = section[..<end.lowerBound].matches(of: /(?:[{,]|\n) *"?([\w*\/+-]+)"?:\s+["`(A-Z{]/).map(
                    \.1)
                return [section.prefix { $0 != " " }] + names.sorted()
            }
        }
        #expect(keys[0] == keys[1] && keys[1].joined().count > 200)
    }

    @Test("The page has no inline script or style, which its policy would block")
    func nothingInLine() throws {
        let page = String(decoding: try #require(UploadPage.asset(at: "/".utf8)).bytes, as: UTF8.self)
        #expect(!page.contains(/<style|style=|\son[a-z]+=|javascript:/))
        #expect(
            page.matches(of: /<script/).count == page.matches(of: /<script type="module" src="[^"]*"><\/script>/).count)
    }
}
