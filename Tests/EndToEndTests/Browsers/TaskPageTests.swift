import Foundation
import TestSupport
import Testing

extension Browsers {
    /// The programs of the guide that run in a browser, on a site of their own, beside a service with the configuration
    /// of the guide and a stand-in for the provider of tokens.
    @Suite("Pages of the guide in a browser", .pythonClients)
    struct TaskPageTests {
        private static let react = "/usr/share/nodejs/react/umd/react.production.min.js"
        private static let reactDOM = "/usr/share/nodejs/react-dom/umd/react-dom.production.min.js"

        @Test(
            "Avatars: a user uploads a photo that the page then shows, and reads why a text is refused",
            .enabled("needs Debian's node-react, node-react-dom and node-typescript") {
                [react, reactDOM, TypesTests.compiler].allSatisfy(FileManager.default.fileExists)
            })
        func avatars() async throws {
            try await TaskSite.run(page: "Avatars.md") { site, browser in
                let component = site.folder.appending(path: "avatar.jsx")
                try Data(try #require(site.blocks["jsx"]).utf8).write(to: component)
                let compiled = try await Command.run(
                    TypesTests.compiler,
                    ["--allowJs", "--jsx", "react", "--target", "es2022", "--module", "es2022", "--outDir"]
                        + [site.folder.appending(path: "built").path(), component.path()])
                #expect(compiled.status == 0, "\(compiled.output)")
                for (name, file) in [("react.js", Self.react), ("react-dom.js", Self.reactDOM)] {
                    try FileManager.default.copyItem(atPath: file, toPath: site.folder.appending(path: name).path())
                }
                try site.write(
                    "imports.js", "export const { useEffect, useState } = window.React;")
                try site.write(
                    "index.html",
                    """
                    <!doctype html><title>app</title><link rel="icon" href="data:,"><div id="app"></div>
                    <script src="react.js"></script><script src="react-dom.js"></script>
                    <script type="importmap">{"imports": {"react": "/imports.js"}}</script>
                    <script type="module">
                      import { Avatar } from "/built/avatar.js";
                      ReactDOM.createRoot(document.querySelector("#app")).render(
                        React.createElement(Avatar, { user: "\(site.user)", getToken: async () => "\(site.token)" }));
                    </script>
                    """)
                try await browser.go(to: site.origin)
                try await browser.wait(until: "document.body.innerText.includes('No photo yet')")

                let text = site.folder.appending(path: "note.txt")
                try Data("not an image".utf8).write(to: text)
                try await browser.type(text.path(), into: "input")
                try await browser.wait(
                    until: "document.querySelector('output').value.includes('`text/plain` is not allowed here')")

                let photo = site.folder.appending(path: "photo.png")
                try #require(Data(base64Encoded: Self.pixel)).write(to: photo)
                try await browser.type(photo.path(), into: "input")
                try await browser.wait(until: "document.querySelector('img')?.naturalWidth === 1")
                // The same file can be chosen again, and a cancelled dialog changes nothing.
                try await browser.wait(until: "document.querySelector('input').value === ''")
                try await browser.run(
                    "document.querySelector('input').dispatchEvent(new Event('change', { bubbles: true }))")
                #expect(
                    try await browser.evaluate("return document.querySelector('output').value", as: String.self) == "")
                try await browser.reload()
                try await browser.wait(until: "document.querySelector('img')?.naturalWidth === 1")
            }
        }

        /// A PNG of one pixel.
        private static let pixel =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

        @Test("Private downloads: a click saves the file of the bucket")
        func privateSite() async throws {
            try await TaskSite.run(page: "PrivateSite.md") { site, browser in
                let content = Data("%PDF-1.4".utf8)
                try await site.upload(content, to: "reports/2026.pdf")
                try site.write(
                    "index.html",
                    """
                    <!doctype html><title>site</title><link rel="icon" href="data:,">
                    <script>const getToken = async () => window.token;</script>
                    \(try #require(site.blocks["html"]))
                    """)
                try await browser.go(to: site.origin)
                try await browser.run("window.token = 'not.a.token'")
                try await browser.click("a")
                try await browser.wait(until: "document.querySelector('#message').textContent !== ''")
                try await browser.run("window.token = '\(site.token)'")
                try await browser.click("a")
                #expect(try await browser.downloaded("2026.pdf", count: content.count) == content)
            }
        }

        @Test(
            "Private images: tags show a user's files under the policy of the page",
            arguments: Browser.Kind.atLeast(.firefox))
        func privateImages(kind: Browser.Kind) async throws {
            try await TaskSite.run(page: "PrivateImages.md", in: kind) { site, browser in
                let folder = "users/\(site.user)"
                let photo = try #require(Data(base64Encoded: Self.pixel))
                try await site.upload(photo, to: "\(folder)/cat.png", type: "image/png")
                try await site.upload(ShareEmbeddingTests.sound, to: "\(folder)/cat.mp4", type: "audio/wav")
                try site.write("worker.js", try #require(site.blocks["js"]))
                let policy = try #require(site.blocks["text"]).trimmingCharacters(in: .newlines)
                    .replacing("https://presign.example.com", with: site.service)
                    .replacing("https://acme-media.s3.eu-west-1.amazonaws.com", with: site.storage)
                    // The page of the guide has its script in line.
                    .replacing("script-src", with: "script-src 'unsafe-inline'")
                try site.write(
                    "index.html",
                    """
                    <!doctype html><title>site</title>
                    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \(policy)">
                    <script>const getToken = async () => "\(site.token)";</script><body>
                    \(try #require(site.blocks["html"]).replacing("users/alice", with: folder))
                    """)
                for _ in 0..<2 {
                    try await browser.go(to: site.origin)
                    try await browser.wait(until: "document.querySelector('img')?.naturalWidth === 1")
                    try await browser.wait(until: "document.querySelector('video')?.readyState > 0")
                }
                #expect(
                    try await browser.evaluate("return document.querySelector('#message').textContent", as: String.self)
                        == "")
            }
        }
    }
}
