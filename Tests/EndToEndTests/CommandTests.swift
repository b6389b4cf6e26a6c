import Foundation
import Testing

@Suite("Commands with real S3 servers and curl", .realParts)
struct CommandTests {
    private static let shell = "/bin/sh"

    @Test("The printed curl commands upload and download the file", arguments: StorageKind.present)
    func curlOutput(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            try await withTemporaryDirectory { directory in
                let file = directory.appending(path: "it's a file.txt")
                let options = [scenario.prefix + "it's a file.txt", "--config", scenario.service.configuration.path()]
                try Data("by command".utf8).write(to: file)
                let upload = try await scenario.service.run(
                    ["url", "PUT"] + options + ["--content-type", "text/plain", "--output", "curl"])
                let inFolder = "cd '\(directory.path())' && "
                let uploaded = try await Command.run(Self.shell, ["-c", inFolder + upload.output])
                #expect(uploaded.status == 0, "\(upload) \(uploaded)")
                try FileManager.default.removeItem(at: file)
                let download = try await scenario.service.run(["url"] + options + ["--output", "curl"])
                #expect(try await Command.run(Self.shell, ["-c", inFolder + download.output]).status == 0)
                #expect(try Data(contentsOf: file) == Data("by command".utf8))
            }
        }
    }

    @Test("A batch signs each valid line and reports an error for each invalid one", arguments: StorageKind.present)
    func batch(kind: StorageKind) async throws {
        struct Line: Decodable { let url: String?, error: String? }
        try await Scenario.run(on: kind) { scenario in
            let lines = """
                {"method":"PUT","key":"\(scenario.prefix)a"}
                {"key":"a","expiresin":5}

                not JSON
                {"key":"a","expiresIn":"15m"}
                """
            let run = try await Command.run(
                Self.shell,
                [
                    "-c", #"printf '%s' "$2" | "$0" url --batch --config "$1""#, try #require(PresignProcess.binary),
                    scenario.service.configuration.path(), lines,
                ],
                environment: scenario.service.environment)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
            let responses = try run.output.split(separator: "\n").map {
                try JSONDecoder().decode(Line.self, from: Data($0.utf8))
            }
            #expect(responses.map { $0.error == nil } == [true, false, false, false])
            #expect(responses[1].error?.contains("expiresIn") == true)
            #expect(try await HTTP.send("PUT", try #require(responses[0].url), body: Data("x".utf8)).status == 200)
        }
    }

    @Test("healthcheck reports whether the service is up", arguments: StorageKind.present.prefix(1))
    func healthCheck(kind: StorageKind) async throws {
        let address = try await Scenario.run(on: kind) { scenario in
            let check = try await scenario.service.run(["healthcheck", "--address", scenario.service.address])
            #expect(check.status == 0, "\(check.errors)")
            return scenario.service.address
        }
        let binary = try #require(PresignProcess.binary)
        let stopped = try await Command.run(binary, ["healthcheck", "--address", address])
        #expect(stopped.status == 1 && stopped.errors.contains("no response from \(address): "), "\(stopped.errors)")
    }

    @Test(
        "A failed start prints one line and exits with 78",
        arguments: [
            ("version: 1\nstores: {a: {bucket: b, regon: x}}\n", ":2:25: unknown key"),
            ("version: 2\nstores: {a: {bucket: b, region: x}}\n", ":1:10: `version` must be 1"),
            (
                "version: 1\nstores: {a: {bucket: b, region: x, credentials: environment}}\n",
                "from environment: none found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (store a)"
            ),
            ("version: 1\naws: {credentials: 'profile:x'}\nstores: {a: {bucket: b, region: x}}\n", "no such profile"),
            (
                "version: 1\naws: {credentials: container}\nstores: {a: {bucket: b, region: x}}\n",
                "AWS_CONTAINER_CREDENTIALS_FULL_URI names 192.0.2.1; plain HTTP is allowed only for"
            ),
        ])
    func failures(yaml: String, message: String) async throws {
        let binary = try #require(PresignProcess.binary)
        try await withTemporaryDirectory { directory in
            let file = directory.appending(path: "presign.yaml")
            try Data(yaml.utf8).write(to: file)
            let run = try await Command.run(
                binary, ["serve", "--config", file.path()],
                environment: ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://192.0.2.1/"])
            #expect(run.status == 78)
            #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains(message), "\(run.errors)")
        }
        #expect(try await Command.run(binary, ["serve", "--config", "/nonexistent"]).status == 78)
        #expect(try await Command.run(binary, ["serve"]).status == 64)
    }

    @Test(
        "Each error of a configuration is printed on its own line",
        arguments: [["serve", "--config"], ["check-config"]])
    func mistakes(command: [String]) async throws {
        let yaml = """
            version: 1
            stores: {media: {bucket: acme-media, regoin: eu-west-1}}
            rules:
              - {path: a/*, alow: {guest: [get]}}
              - {path: b/*, allow: {guest: [wirte]}}
            """
        try await withTemporaryDirectory { directory in
            let file = directory.appending(path: "presign.yaml")
            try Data(yaml.utf8).write(to: file)
            let run = try await Command.run(try #require(PresignProcess.binary), command + [file.path()])
            let lines = run.errors.split(separator: "\n").map { $0.replacing("presign: \(file.path()):", with: "") }
            #expect(run.status == 78)
            #expect(
                lines == [
                    "2:38: unknown key `stores.media.regoin`; did you mean `region`?",
                    "4:17: unknown key `rules[0].alow`; did you mean `allow`?",
                    "5:33: unknown action `wirte`; use get, list, read, write, delete or multipart; did you mean `write`?",
                ])
        }
    }

    @Test("Without the configuration that the image expects, the error says what to mount")
    func missingStandardFile() async throws {
        try #require(!FileManager.default.fileExists(atPath: "/etc/presign/presign.yaml"))
        let run = try await Command.run(
            try #require(PresignProcess.binary), ["serve", "--config", "/etc/presign/presign.yaml"])
        #expect(run.status == 78)
        #expect(run.errors.hasPrefix("presign: cannot read /etc/presign/presign.yaml: No such file or directory; "))
        #expect(run.errors.contains("mount it there") && run.errors.contains("serve --local /tmp/presign"))
    }

    @Test(
        "check-config reports unusable files like serve",
        arguments: [
            ("existence: {caFile: /nowhere.pem}", "existence.caFile: cannot read /nowhere.pem: No such file"),
            (
                "audit: {to: /nowhere/audit.jsonl}",
                "audit.to: cannot open /nowhere/audit.jsonl: the folder /nowhere does not exist; create it"
            ),
            ("audit: {to: audit.jsonl}", "`audit.to` must be off, stdout, the absolute path of a file such as "),
            ("audit: {to: /dev/null/audit.jsonl}", "audit.to: cannot open /dev/null/audit.jsonl: Not a directory"),
        ])
    func namedFiles(section: String, message: String) async throws {
        let yaml = """
            version: 1
            server: {listen: "127.0.0.1:0"}
            stores: {a: {bucket: b, region: x}}
            \(section)
            """
        try await withTemporaryDirectory { directory in
            let file = directory.appending(path: "presign.yaml")
            try Data(yaml.utf8).write(to: file)
            for command in [["serve", "--config"], ["check-config"]] {
                let run = try await Command.run(
                    try #require(PresignProcess.binary), command + [file.path()],
                    environment: ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret"])
                #expect(run.status == 78)
                #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains(message), "\(run.errors)")
            }
        }
    }

    @Test(
        "A missing path is an error, a path that the service refuses causes a warning",
        arguments: [
            (["PUT"], 64, "PUT is a method; add the path"), (["GET", "PUT"], 0, ""), (["a/b"], 0, ""),
            (["../a"], 0, "presign: warning: the service refuses this path: "), (["/a"], 0, "presign: warning: "),
            (["a/"], 0, "presign: warning: "), ([""], 64, "presign: path: "),
        ])
    func paths(words: [String], status: Int32, message: String) async throws {
        let run = try await Command.run(
            try #require(PresignProcess.binary), ["url", "--bucket", "b", "--region", "eu-west-1"] + words,
            environment: ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret"])
        #expect(run.status == status && run.output.hasPrefix("https://") == (status == 0), "\(run)")
        #expect(message.isEmpty ? run.errors.isEmpty : run.errors.contains(message), "\(run.errors)")
    }
}
