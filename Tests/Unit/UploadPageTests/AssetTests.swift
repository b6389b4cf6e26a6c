import Testing
import UploadPage

@Suite("Assets of the upload page")
struct AssetTests {
    @Test(
        "Each path returns its content type and its file",
        arguments: [
            ("/", "text/html; charset=utf-8", "<!doctype html>"),
            ("/page.css", "text/css; charset=utf-8", "prefers-color-scheme: dark"),
            ("/page.js", "text/javascript; charset=utf-8", "class Upload"),
            ("/key.js", "text/javascript; charset=utf-8", "export function keepKey"),
            ("/words.js", "text/javascript; charset=utf-8", "export function words"),
            ("/presign.js", "text/javascript; charset=utf-8", "export { Presign } from"),
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
        "No other path has an asset",
        arguments: [
            "", "//", "/index.html", "/presign", "/Presign.js", "/presign.js/", "/../page.css", "page.css", "/js/",
            "/js/page.js",
        ])
    func otherPaths(path: String) {
        #expect(UploadPage.asset(at: path.utf8) == nil)
    }

    @Test("All referenced files exist, and nothing is loaded from other origins")
    func references() throws {
        for path in UploadPage.paths {
            let text = String(decoding: try #require(UploadPage.asset(at: path.utf8)).bytes, as: UTF8.self)
            for match in text.matches(of: /(?:href|src)="([^"]*)"|from "\.\/([^"]*)"/) {
                let name = try #require(match.1 ?? match.2)
                let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
                #expect(UploadPage.asset(at: "\(folder)\(name)".utf8) != nil, "\(path) refers to \(name)")
            }
        }
    }

    @Test("The page has no inline script or style, which its policy would block")
    func nothingInLine() throws {
        let page = String(decoding: try #require(UploadPage.asset(at: "/".utf8)).bytes, as: UTF8.self)
        #expect(!page.contains(/<style|style=|\son[a-z]+=|javascript:/))
        #expect(
            page.matches(of: /<script/).count == page.matches(of: /<script type="module" src="[^"]*"><\/script>/).count)
    }
}
