import Foundation
import Testing

extension Browsers {
    @Suite("Pages with HTML forms")
    struct FormPageTests {
        @Test("A form without JavaScript uploads a file, and leads to its page", arguments: Browser.Kind.allCases)
        func form(kind: Browser.Kind) async throws {
            try await withTemporaryDirectory { folder in
                let file = folder.appending(path: "a.png")
                let content = Data((0..<90_000).map { UInt8(truncatingIfNeeded: $0) })
                try content.write(to: file)
                let port = try FreePort.next()
                let origin = "http://127.0.0.1:\(port)"
                try await LocalService.run(origins: [origin]) { service in
                    let fields: [String: any Sendable] = [
                        "path": "images/a.png", "method": "POST", "form": true, "contentType": "image/png",
                        "successRedirect": "\(origin)/",
                    ]
                    let response = try await HTTP.presign(fields, at: service.origin, key: service.key)
                    try #require(response.status == 200, "\(response.text)")
                    let signed = try JSONDecoder().decode(SignedForm.self, from: response.body)
                    try await ScriptedServer.run(port: port, page: Self.page(signed)) { site in
                        try await Browser.open(kind) { browser in
                            try await browser.go(to: "\(origin)/")
                            try await browser.type(file.path(), into: "input[type=file]")
                            try await browser.click("button")
                            try await browser.wait(until: "location.search.includes('key=images%2Fa.png')")
                        }
                    }
                    let download = try await HTTP.presign(
                        ["path": "images/a.png"], at: service.origin, key: service.key)
                    let grant = try JSONDecoder().decode(Grant.self, from: download.body)
                    let stored = try await grant.send()
                    #expect(stored.body == content && stored.headers["content-type"] == "image/png")
                }
            }
        }

        /// A page without scripts.
        private static func page(_ form: SignedForm) -> String {
            let hidden = form.fields.map { "<input type='hidden' name='\($0.key)' value='\($0.value)'>" }
            return """
                <!doctype html>
                <form action="\(form.url)" method="post" enctype="multipart/form-data">
                \(hidden.joined(separator: "\n"))
                <input type="file" name="file"> <button>Upload</button>
                </form>
                """
        }
    }
}
