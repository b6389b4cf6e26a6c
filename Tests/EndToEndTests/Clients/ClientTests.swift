import Foundation
import Testing

@Suite("Common clients", .realParts)
struct ClientTests {
    /// Runs the guide's one-line commands in a folder that contains the file.
    @Test("curl uploads and downloads in one line each", arguments: StorageKind.present)
    func oneLiners(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            let presign =
                #"curl -sS --fail-with-body "$SERVICE/presign" -H "Authorization: Bearer $KEY" -H 'Accept: text/plain'"#
                + #" -d "path=$FILE""#
            let refused = #"{ echo "$URL"; false; }"#
            let script = """
                set -eu
                printf '%s' "$CONTENT" >cat.jpg
                URL=$(\(presign) -d method=PUT) || \(refused) && curl -sS --fail-with-body -T cat.jpg "$URL"
                URL=$(\(presign)) || \(refused) && curl -fsS -o copy.jpg "$URL"
                cmp cat.jpg copy.jpg
                """
            try await run(script, scenario, content: "one line")
            #expect(try await scenario.get("cat.jpg").text == "one line")
        }
    }

    @Test("curl -T uses URL and headers of the JSON response", arguments: StorageKind.present)
    func jsonAnswer(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            let members = #"{\"path\":\"$FILE\",\"method\":\"PUT\",\"contentType\":\"image/jpeg\",\"contentLength\":4}"#
            let script = """
                set -eu
                printf '%s' "$CONTENT" >cat.jpg
                curl -fsS -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d "\(members)" \
                    "$SERVICE/presign" >answer.json
                url=$(sed 's/.*"url":"\\([^"]*\\)".*/\\1/' answer.json)
                curl -fsS -T cat.jpg -H 'Content-Type: image/jpeg' "$url"
                """
            try await run(script, scenario, content: "jpeg")
            let downloaded = try await scenario.get("cat.jpg")
            #expect(downloaded.text == "jpeg" && downloaded.headers["content-type"] == "image/jpeg")
        }
    }

    @Test("Python's requests uploads and downloads", .pythonClients, arguments: StorageKind.present)
    func requests(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            try await withTemporaryDirectory { directory in
                let file = directory.appending(path: "file")
                try Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) }).write(to: file)
                let output = try await Python.run(
                    "requests_round_trip", [scenario.prefix + "a b+c.bin", file.path()],
                    environment: scenario.clientEnvironment)
                #expect(output == "application/x-sample\n300000\n")
            }
        }
    }

    @Test("URLs signed by boto3 work like ours", .pythonClients, arguments: StorageKind.present)
    func boto3(kind: StorageKind) async throws {
        let server = try kind.server
        let key = "boto3-\(UUID().uuidString)/a b+c"
        let output = try await Python.run(
            "boto3_urls",
            [try server.setting("ENDPOINT"), try server.setting("BUCKET"), key]
                + (kind == .local ? ["refuses-v2"] : []),
            environment: try server.credentials)
        #expect(output == "done\n")
    }

    private func run(_ script: String, _ scenario: Scenario, content: String) async throws {
        try await withTemporaryDirectory { directory in
            let environment = [
                "SERVICE": "http://\(scenario.service.address)", "KEY": scenario.service.apiKey,
                "FILE": scenario.prefix + "cat.jpg", "CONTENT": content,
            ]
            let result = try await Command.run(
                "/bin/sh", ["-c", "cd '\(directory.path())'\n\(script)"], environment: environment)
            #expect(result.status == 0, "\(result.errors)")
        }
    }
}
