import Foundation
import TestSupport
import Testing

/// The most common mistakes on the command line and in the configuration. Each message must state the field, the value
/// and the fix.
@Suite("Common mistakes of operators", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct CommonMistakeTests {
    struct Mistake: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The arguments. The command runs in a folder that contains `presign.yaml`.
        let arguments: String
        /// The lines of `presign.yaml` after the first two.
        var sections = ""
        var hasCredentials = true
        let status: Int32
        /// The lines on standard error before the usage, each without `presign: `.
        let messages: [String]

        /// A mistake on the command line.
        init(_ name: String, _ arguments: String, _ status: Int32, _ message: String) {
            (testDescription, self.arguments, self.status, messages) = (name, arguments, status, [message])
        }

        /// A mistake in the configuration; the messages begin with line and column.
        init(_ name: String, yaml: String, _ messages: String...) {
            (testDescription, arguments, status, sections) = (name, "check-config presign.yaml", 78, yaml)
            self.messages = messages.map { "presign.yaml:" + $0 }
        }

        /// The same without storage credentials in the environment.
        var withoutCredentials: Mistake {
            var copy = self
            copy.hasCredentials = false
            return copy
        }
    }

    private static let commandLine = [
        Mistake("misspelt command", "srve", 64, "unknown command 'srve'; did you mean 'serve'?"),
        Mistake(
            "misspelt option", "serve --confg presign.yaml", 64, "Unknown option '--confg'. Did you mean '--config'?"),
        Mistake(
            "no configuration", "serve", 64, "--config FILE is required, or --local DIR for a storage on this machine"),
        Mistake(
            "missing file", "serve --config nowhere.yaml", 78, "cannot read nowhere.yaml: No such file or directory"),
        Mistake(
            "unknown store", "url a --config presign.yaml --store medai", 64,
            "--store: presign.yaml has no store `medai`; its stores are media"),
        Mistake(
            "no bucket", "url a --region eu-west-1", 64, "bucket: is missing; pass --config, or --bucket and --region"),
        Mistake(
            "no region", "url a --bucket acme", 64,
            "the region of the bucket `acme` is missing; pass --region or set AWS_REGION"),
        Mistake(
            "wrong bucket name", "url a --bucket acme/media --region eu-west-1", 64,
            "bucket: \"acme/media\" is not a valid bucket name."
                + " Use the bucket's name: 1 to 255 letters, digits, dots, hyphens and underscores."),
        Mistake(
            "wrong region name", "url a --bucket acme --region eu_west_1", 64,
            "region: \"eu_west_1\" is not a region: only letters, digits and hyphens are allowed."
                + " Use the bucket's region, for example eu-west-1."),
        Mistake(
            "missing credentials", "serve --config presign.yaml", 78,
            "credentials from environment: none found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (store media)"
        ).withoutCredentials,
    ]

    private static let configuration = [
        Mistake(
            "unknown credentials", yaml: "aws: {credentials: enviroment}",
            "3:20: `aws.credentials` must be chain, environment, profile:NAME, process, container, imds or webIdentity;"
                + " did you mean `environment`?"),
        Mistake(
            "misspelt key", yaml: "server: {lisen: \"127.0.0.1:8080\"}",
            "3:10: unknown key `server.lisen`; did you mean `listen`?"),
        Mistake(
            "time without a unit", yaml: "server: {timeouts: {header: 10}}",
            "3:29: `server.timeouts.header` must be a time such as 500ms, 90s, 15m, 12h or 7d, but is `10`"),
        Mistake(
            "invalid hash", yaml: "auth: {apiKeys: [{id: web, hashes: [\"sha256:abc\"]}]}",
            "3:37: `auth.apiKeys[0].hashes[0]` must be sha256: and 64 hexadecimal digits;"
                + " run `presign key new` and use the hash it prints"),
        Mistake(
            "misspelt key of a rule", yaml: "rules: [{path: a/*, alow: {guest: [get]}}]",
            "3:21: unknown key `rules[0].alow`; did you mean `allow`?"),
        Mistake(
            "misspelt action of a rule", yaml: "rules: [{path: a/*, allow: {guest: [raed]}}]",
            "3:37: unknown action `raed`; use get, list, read, write, delete or multipart; did you mean `read`?"),
        Mistake(
            "lifetime too long", yaml: "rules: [{path: a/*, allow: {guest: [get]}, expires: {max: 8d}}]",
            "3:59: `rules[0].expires.max` must be 1 to 604800 seconds, but is `8d`"),
        Mistake(
            "two mistakes at once", yaml: "rules: [{path: a/*, alow: {guest: [get]}}]\npge: true",
            "3:21: unknown key `rules[0].alow`; did you mean `allow`?", "4:1: unknown key `pge`; did you mean `page`?"),
    ]

    @Test("The command states the field, the value and the fix", arguments: commandLine + configuration)
    func message(_ mistake: Mistake) async throws {
        try await withTemporaryDirectory { folder in
            let yaml = """
                version: 1
                stores: {media: {bucket: acme-media, region: eu-west-1, credentials: environment}}
                \(mistake.sections)

                """
            try Data(yaml.utf8).write(to: folder.appending(path: "presign.yaml"))
            let words = mistake.arguments.split(separator: " ").map(String.init)
            let credentials = ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret"]
            let run = try await Command.run(
                "/bin/sh",
                ["-c", #"cd "$0" && exec "$@""#, folder.path(), try #require(PresignProcess.binary)] + words,
                environment: mistake.hasCredentials ? credentials : [:])
            let lines = run.errors.split(separator: "\n").prefix { $0.hasPrefix("presign: ") }
            #expect(run.status == mistake.status)
            #expect(lines.map { String($0.dropFirst("presign: ".count)) } == mistake.messages)
        }
    }

    @Test("A start at a port in use names the address and the fix")
    func portInUse() async throws {
        try await withTemporaryDirectory { folder in
            let running = try await LocalProcess.start(in: folder)
            let other = folder.appending(path: "other").path()
            let run = try await Command.run(
                try #require(PresignProcess.binary),
                ["serve", "--local", other, "--listen", running.service, "--local-listen", "127.0.0.1:0"])
            #expect(run.status == 71)
            #expect(
                run.errors == "presign: cannot listen on \(running.service): the address is in use: stop the other"
                    + " server, or choose another port or path\n")
            #expect(await running.end(SIGTERM) == 0)
        }
    }

    @Test("The local storage states when an expired URL expired, as S3 does")
    func expiredURL() async throws {
        try await withTemporaryDirectory { folder in
            let running = try await LocalProcess.start(in: folder)
            let url = try await running.url("GET", "a&expiresIn=1", key: running.apiKey)
            // The object does not exist.
            #expect(try await eventually { try await HTTP.send("GET", url).status != 404 })
            let response = try await HTTP.send("GET", url)
            #expect(response.status == 403)
            #expect(try response.element("Code") == "AccessDenied")
            #expect(try response.element("Message") == "Request has expired")
            #expect(try response.element("X-Amz-Expires") == "1")
            #expect(try response.element("Expires") < response.element("ServerTime"))
            #expect(await running.end(SIGTERM) == 0)
        }
    }
}
