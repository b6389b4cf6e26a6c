import Foundation
import Testing

/// Commands that read a configuration with `local:`, and the curl commands that they print.
@Suite("Commands with a local storage", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct LocalCommandTests {
    private static func presign(_ arguments: [String], input: String? = nil) async throws -> Command.Result {
        try await Command.run(try #require(PresignProcess.binary), arguments, input: input.map { Data($0.utf8) })
    }

    /// Writes a configuration whose local storage listens on `port`, and returns its path.
    private static func configuration(in folder: URL, port: String) throws -> String {
        let file = folder.appending(path: "presign.yaml")
        let text = """
            version: 1
            server: {listen: "127.0.0.1:0"}
            local: {directory: "\(folder.appending(path: "data").path())", listen: "127.0.0.1:\(port)"}
            stores: {local: {bucket: local, region: us-east-1, prefix: v1/}}
            rules: [{path: "**", allow: {authenticated: [read, write, multipart]}}]
            """
        try Data(text.utf8).write(to: file)
        return file.path()
    }

    /// Runs the body with a storage whose address is in a configuration.
    private static func withStorage(_ body: (URL, String) async throws -> Void) async throws {
        try await withTemporaryDirectory { folder in
            let file = try configuration(in: folder, port: "0")
            let server = try await LocalProcess.start(
                in: folder, program: (try #require(PresignProcess.binary), ["serve", "--config", file], [:]))
            let port = try #require(server.storage.split(separator: ":").last)
            try await body(folder, try configuration(in: folder, port: String(port)))
            #expect(await server.end(SIGTERM) == 0)
        }
    }

    private static func shell(_ command: String, in folder: URL) async throws -> Command.Result {
        try await Command.run("/bin/sh", ["-c", "cd '\(folder.path())' && \(command)"])
    }

    @Test("URLs name the local storage and are signed with its credentials, also in a batch")
    func localURLs() async throws {
        try await Self.withStorage { folder, file in
            try Data("local".utf8).write(to: folder.appending(path: "a"))
            let upload = try await Self.presign(["url", "PUT", "x/a", "--config", file, "--output", "curl"])
            #expect(try await Self.shell(upload.output, in: folder).status == 0, "\(upload)")
            let download = try await Self.presign(["url", "x/a", "--config", file])
            #expect(download.output.hasPrefix("http://127.0.0.1:") && download.output.contains("/local/v1/x/a?"))
            let url = download.output.trimmingCharacters(in: .newlines)
            #expect(try await HTTP.send("GET", url).text == "local")
            let batch = try await Self.presign(["url", "--batch", "--config", file], input: #"{"key":"x/a"}"#)
            #expect(batch.output.contains("http://127.0.0.1:") && batch.output.contains("/local/v1/x/a?"), "\(batch)")
        }
    }

    @Test("Before the first start the error names the missing credentials file")
    func noCredentials() async throws {
        try await withTemporaryDirectory { folder in
            let file = try Self.configuration(in: folder, port: "9")
            let run = try await Self.presign(["url", "a", "--config", file])
            #expect(run.status == 78 && run.output.isEmpty && run.errors.contains("data/credentials"), "\(run)")
            let noPort = try await Self.presign(["url", "a", "--config", try Self.configuration(in: folder, port: "0")])
            #expect(noPort.status == 78 && noPort.errors.contains("local.listen"), "\(noPort)")
        }
    }

    @Test("check-config reports local stores, explain knows the generated key")
    func otherCommands() async throws {
        try await withTemporaryDirectory { folder in
            let file = try Self.configuration(in: folder, port: "9")
            let check = try await Self.presign(["check-config", file])
            #expect(check.status == 0 && check.output.contains("bucket local served locally at http://127.0.0.1:9"))
            #expect(!check.output.contains("amazonaws.com"), "\(check)")
            let explain = ["explain", "--config", file, "--caller"]
            let local = try await Self.presign(explain + ["local", "write", "a"])
            #expect(local.status == 0 && local.output.hasPrefix("allowed (200)"), "\(local)")
            let other = try await Self.presign(explain + ["web", "write", "a"])
            #expect(other.status == 64 && other.errors.contains("no API key `web`"), "\(other)")
        }
    }

    @Test(
        "Options that do not apply are errors",
        arguments: [
            (["a", "--config", "FILE", "--addressing", "path"], "cannot be combined with --config"),
            (["a", "--config", "FILE", "--region", "eu-west-1"], "cannot be combined with --config"),
            (["a", "--config", "FILE", "--endpoint", "http://x.example"], "cannot be combined with --config"),
            (["a", "--config", "FILE", "--store", "other"], "has no store `other`"),
            (["a", "--store", "other"], "--store requires --config"),
            (["s3://a/k", "--bucket", "b", "--region", "r"], "--bucket is `b`, but the path names the bucket `a`"),
            (["s3://a/k", "--config", "FILE"], "has no store with the bucket `a` of the path"),
            (["s3://a/k"], "the region of the bucket `a` is missing"),
            (["a", "--addressing", "path"], "require --bucket"),
            (["--batch", "--endpoint", "http://x.example"], "require --bucket"),
            (["--batch", "--output", "curl"], "--batch reads its requests from standard input"),
            (["--batch", "--part-number", "1"], "--batch reads its requests from standard input"),
            (["--batch", "a"], "reads its requests from standard input"),
            (
                ["--batch", "--bucket", "b", "--region", "r", "--expires-in", "soon"],
                "invalid for '--expires-in <expires-in>': it must be a duration"
            ),
            (["PUT", "a", "--bucket", "b", "--region", "r", "--part-size", "8m"], "--part-size requires"),
            (
                [
                    "PUT", "a", "--bucket", "b", "--region", "r", "--upload-id", "U", "--part-number", "1", "--output",
                    "curl", "--part-size", "1m",
                ], "invalid for '--part-size <part-size>': it must be a size"
            ),
        ])
    func refused(arguments: [String], says: String) async throws {
        try await withTemporaryDirectory { folder in
            let file = try Self.configuration(in: folder, port: "9")
            try FileManager.default.createDirectory(
                at: folder.appending(path: "data"), withIntermediateDirectories: false)
            try Data("[default]\naws_access_key_id = A\naws_secret_access_key = s\n".utf8).write(
                to: folder.appending(path: "data/credentials"))
            let run = try await Self.presign(["url"] + arguments.map { $0 == "FILE" ? file : $0 }, input: "")
            #expect(run.status == 64 && run.output.isEmpty && run.errors.contains(says), "\(run)")
        }
    }

    @Test(
        "presign url treats an empty variable as absent, and names what it does not use",
        arguments: [
            (
                ["AWS_REGION": "", "AWS_DEFAULT_REGION": "eu-west-1"], "https://media.s3.eu-west-1.amazonaws.com/a?",
                nil
            ),
            (
                ["AWS_REGION": "eu-west-1", "AWS_ENDPOINT_URL_S3": "", "AWS_ENDPOINT_URL": ""],
                "https://media.s3.eu-west-1.amazonaws.com/a?", nil
            ),
            (
                ["AWS_REGION": "r", "AWS_ENDPOINT_URL_S3": "", "AWS_ENDPOINT_URL": "http://s:9000"],
                "http://s:9000/media/a?", nil
            ),
            (
                ["AWS_REGION": "eu-west-1", "AWS_USE_FIPS_ENDPOINT": "true"],
                "https://media.s3.eu-west-1.amazonaws.com/a?",
                "AWS_USE_FIPS_ENDPOINT is set, but presign does not use it"
            ),
            (
                ["AWS_REGION": "r", "AWS_ENDPOINT_URL": "http://s.example:9000/media"],
                "http://s.example:9000/media/media/a?", "the endpoint already names the bucket"
            ),
        ] as [([String: String], String, String?)])
    func environment(values: [String: String], url: String, warning: String?) async throws {
        let keys = ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "s", "HOME": "/nonexistent"]
        let run = try await Command.run(
            try #require(PresignProcess.binary), ["url", "s3://media/a"],
            environment: keys.merging(values) { $1 })
        #expect(run.status == 0 && run.output.hasPrefix(url), "\(run)")
        #expect(warning.map(run.errors.contains) ?? run.errors.isEmpty, "\(run)")
    }

    @Test(
        "presign url --config names files with keys that it does not read, if the store uses the sources of the SDKs",
        arguments: [("chain", true), ("environment", false)])
    func keyFiles(source: String, warns: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "presign.yaml")
            let store = "{bucket: media, region: eu-west-1, credentials: \(source)}"
            try Data("version: 1\nstores: {media: \(store)}\n".utf8).write(to: file)
            let run = try await Command.run(
                try #require(PresignProcess.binary), ["url", "a", "--config", file.path()],
                environment: [
                    "AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "s", "HOME": "/nonexistent",
                    "BOTO_CONFIG": "/b", "AWS_USE_FIPS_ENDPOINT": "true",
                ])
            #expect(run.status == 0 && run.output.hasPrefix("https://media.s3.eu-west-1.amazonaws.com/a?"), "\(run)")
            #expect(run.errors.contains("BOTO_CONFIG is set, but presign") == warns, "\(run)")
            #expect(!run.errors.contains("FIPS"), "\(run)")
        }
    }

    @Test("presign url with --addressing domain and with an endpoint that names the bucket")
    func domain() async throws {
        func url(_ endpoint: String, _ addressing: String) async throws -> Command.Result {
            try await Command.run(
                try #require(PresignProcess.binary),
                [
                    "url", "k", "--bucket", "media", "--region", "r", "--endpoint", endpoint, "--addressing",
                    addressing,
                ], environment: ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "s"])
        }
        let own = try await url("https://files.example.com", "domain")
        #expect(own.status == 0 && own.output.hasPrefix("https://files.example.com/k?"), "\(own)")
        let refused = try await url("https://media.nyc3.digitaloceanspaces.com", "auto")
        #expect(
            refused.status == 64 && refused.errors.contains("Use https://nyc3.digitaloceanspaces.com"), "\(refused)")
    }

    @Test("Options are defaults for the lines of a batch")
    func batchDefaults() async throws {
        let lines = """
            {"key":"a"}
            {"key":"a","expiresIn":5,"method":"PUT"}
            """
        let run = try await Command.run(
            try #require(PresignProcess.binary),
            [
                "url", "--batch", "--bucket", "b", "--region", "eu-west-1", "--expires-in", "60", "--content-type",
                "image/png",
            ],
            environment: ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "s"], input: Data(lines.utf8))
        let output = run.output.split(separator: "\n")
        try #require(output.count == 2, "\(run)")
        #expect(output[0].contains("X-Amz-Expires=60&X-Amz-SignedHeaders=host&"), "\(run)")
        #expect(output[1].contains("X-Amz-Expires=5&X-Amz-SignedHeaders=content-type%3Bhost&"), "\(run)")
    }

    @Test("The printed curl commands perform a whole multipart upload and keep the local file")
    func multipart() async throws {
        try await Self.withStorage { folder, file in
            let content = Data((0..<(11 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 12) })
            let local = folder.appending(path: "it's big.bin")
            try content.write(to: local)
            func run(_ method: String, _ options: [String]) async throws -> Command.Result {
                let printed = try await Self.presign(
                    ["url", method, "x/it's big.bin", "--config", file, "--output", "curl"] + options)
                try #require(printed.status == 0, "\(printed)")
                let result = try await Self.shell(printed.output, in: folder)
                try #require(result.status == 0, "\(printed.output)\(result)")
                return result
            }
            let begun = try await run("POST", []).output
            let id = try #require(begun.firstMatch(of: /<UploadId>(.*)<\/UploadId>/)?.1)
            var parts = ""
            for number in 1...3 {
                let sent = try await run(
                    "PUT", ["--upload-id", String(id), "--part-number", "\(number)", "--part-size", "5m"])
                let tag = try #require(sent.output.firstMatch(of: /(?i)etag: (\S+)/)?.1, "\(sent)")
                parts += "<Part><PartNumber>\(number)</PartNumber><ETag>\(tag)</ETag></Part>"
            }
            let listed = try await run("GET", ["--upload-id", String(id)]).output
            #expect(listed.contains("<Size>5242880</Size>") && listed.contains("<Size>1048576</Size>"), "\(listed)")
            #expect(try Data(contentsOf: local) == content)
            try Data("<CompleteMultipartUpload>\(parts)</CompleteMultipartUpload>".utf8)
                .write(to: folder.appending(path: "parts.xml"))
            _ = try await run("POST", ["--upload-id", String(id)])
            try FileManager.default.removeItem(at: local)
            _ = try await run("GET", [])
            #expect(try Data(contentsOf: local) == content)
        }
    }

    @Test("A missing file is not uploaded; a path that ends in a slash is an empty object")
    func edges() async throws {
        try await Self.withStorage { folder, file in
            let part = try await Self.presign(
                ["url", "PUT", "gone", "--config", file, "--output", "curl", "--upload-id", "U", "--part-number", "1"])
            let sent = try await Self.shell(part.output, in: folder)
            #expect(sent.status != 0 && sent.output.isEmpty && sent.errors.contains("gone"), "\(sent)")
            for method in ["PUT", "GET"] {
                let printed = try await Self.presign(["url", method, "dir/", "--config", file, "--output", "curl"])
                let run = try await Self.shell(printed.output, in: folder)
                #expect(run.status == 0 && run.output.isEmpty, "\(printed.output)\(run)")
            }
        }
    }
}
