import Foundation
import Testing

@testable import Presigning
@testable import StorageCredentials

@Suite("Credential sources")
struct CredentialSourceTests {
    private static func environment(_ values: [String: String]) -> CredentialVariables {
        CredentialVariables { values[$0] }
    }

    @Test("Environment: both keys, a token, an expiration")
    func environmentIsRead() throws {
        let source = EnvironmentCredentialSource(
            Self.environment([
                "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s3cret", "AWS_SESSION_TOKEN": "token",
                "AWS_CREDENTIAL_EXPIRATION": "2026-11-21T10:00:00Z",
            ]))
        let credentials = try #require(try source.credentials())
        #expect(credentials.accessKeyID == "AKID")
        #expect(credentials.sessionToken == "token")
        #expect(credentials.expiration?.rfc3339Text == "2026-11-21T10:00:00Z")
        #expect(!"\(credentials)".contains("s3cret"))
        #expect(!String(reflecting: credentials).contains("s3cret"))
    }

    @Test(
        "Environment: no variables mean no credentials, an incomplete pair is a mistake",
        arguments: [
            ([:], nil), (["AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""], nil),
            (["AWS_ACCESS_KEY_ID": "AKID"], "AWS_SECRET_ACCESS_KEY is not;"),
            (["AWS_SECRET_ACCESS_KEY": "s3cret"], "AWS_ACCESS_KEY_ID is not;"),
            (
                ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "s3cret", "AWS_CREDENTIAL_EXPIRATION": "soon"],
                "RFC 3339"
            ),
        ] as [([String: String], String?)])
    func environmentMistakes(values: [String: String], message: String?) throws {
        let source = EnvironmentCredentialSource(Self.environment(values))
        guard let message else {
            #expect(try source.credentials() == nil)
            return
        }
        #expect {
            try source.credentials()
        } throws: {
            "\($0)".contains(message) && !"\($0)".contains("s3cret")
        }
    }

    @Test(
        "A value with quotation marks or blanks at its ends is refused with the reason, by every source",
        arguments: [
            ("\"AKID\"", "\"s3cret\"", "accessKeyId", "quotation marks"),
            ("AKID", "'s3cret'", "secretAccessKey", "quotation marks"),
            ("AKID", "\u{201C}s3cret\u{201D}", "secretAccessKey", "quotation marks"),
            ("AKID", "s3cret ", "secretAccessKey", "blank"), ("AKID", " s3cret", "secretAccessKey", "blank"),
            ("AKID\u{a0}", "s3cret", "accessKeyId", "blank"), ("AKID", "s3cret\n", "secretAccessKey", "control"),
        ])
    func decorated(id: String, secret: String, field: String, reason: String) throws {
        let variables = Self.environment(["AWS_ACCESS_KEY_ID": id, "AWS_SECRET_ACCESS_KEY": secret])
        func escaped(_ text: String) -> String { text.replacing("\"", with: "\\\"").replacing("\n", with: "\\n") }
        let document = #"{"AccessKeyId": "\#(escaped(id))", "SecretAccessKey": "\#(escaped(secret))"}"#
        for read in [
            { try EnvironmentCredentialSource(variables).credentials() },
            {
                try CredentialDocument(Array(document.utf8), from: "test")
                    .credentials(tokenField: "Token", allowsLongTerm: true)
            },
        ] {
            #expect {
                try read()
            } throws: {
                "\($0)".contains(field) && "\($0)".contains(reason) && !"\($0)".contains("s3cret")
            }
        }
    }

    private static let credentialsFile = """
        [default]
        aws_access_key_id = AKIDDEFAULT
        aws_secret_access_key = default/secret ; a comment
        # another
        [dev]
        aws_access_key_id=AKIDDEV
        aws_secret_access_key=dev=secret#not-a-comment
        aws_session_token=tok+en==
        [half]
        aws_access_key_id=AKIDHALF
        [synced]
        aws_access_key_id=AKIDSYNCED
        aws_secret_access_key=s
        """
    private static let configurationFile = """
        [profile  other]\r
        region = eu-west-1\r
        aws_access_key_id = AKIDOTHER\r
        aws_secret_access_key = other\r
        s3 =\r
          aws_access_key_id = nested\r
        [profile role]
        role_arn = arn:aws:iam::1:role/x
        aws_access_key_id = AKIDSOURCE
        aws_secret_access_key = of-the-source
        [profile sso]
        sso_session = corp
        [profile synced]
        sso_session = corp
        [profile program]
        credential_process = /bin/echo '{"Version": 1, "AccessKeyId": "AKIDPROGRAM", "SecretAccessKey": "s"}'
        [profile both]
        aws_access_key_id = AKIDBOTH
        aws_secret_access_key = s
        credential_process = /bin/false
        [profile "my own"]
          aws_access_key_id = AKIDINDENTED
          aws_secret_access_key = s
        [profile quote]
        credential_process = /bin/echo "x
        [profile gone]
        credential_process = no-such-program --secret hush
        """

    @Test(
        "Shared files: profiles, comments, nested settings, both files",
        arguments: [
            (nil, "AKIDDEFAULT"), ("dev", "AKIDDEV"), ("other", "AKIDOTHER"), ("missing", "error: no such profile"),
            ("half", "error: must set both"), ("role", "error: role_arn"), ("sso", "error: sso_session"),
            ("synced", "AKIDSYNCED"), ("my own", "AKIDINDENTED"), ("program", "AKIDPROGRAM"), ("both", "AKIDBOTH"),
            ("quote", "error: an unterminated quote"), ("gone", "error: the program no-such-program was not found"),
        ] as [(String?, String)])
    func sharedFiles(profile: String?, expected: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.credentialsFile.write(
            to: folder.appendingPathComponent("credentials"), atomically: true, encoding: .utf8)
        try Self.configurationFile.write(to: folder.appendingPathComponent("config"), atomically: true, encoding: .utf8)
        let source = SharedFilesCredentialSource(
            Self.environment([
                "AWS_SHARED_CREDENTIALS_FILE": folder.path + "/credentials", "AWS_CONFIG_FILE": folder.path + "/config",
            ]), profile: profile)
        #expect(source.files == [folder.path + "/credentials", folder.path + "/config"])
        do {
            #expect(try source.credentials()?.accessKeyID == expected)
        } catch {
            #expect(expected.hasPrefix("error: ") && "\(error)".contains(expected.dropFirst(7)), "\(error)")
        }
    }

    @Test(
        "The expiration of a session token is read from the keys that tools write",
        arguments: [
            ("x_security_token_expires = 2026-11-21T12:00:00+02:00", "2026-11-21T10:00:00Z"),
            ("aws_expiration = 2026-11-21T10:00:00.000Z", "2026-11-21T10:00:00Z"),
            ("aws_session_expiration = 2026-11-21T10:00:00+0000", "2026-11-21T10:00:00Z"),
            ("aws_session_token_expiration = 2026-11-21 05:00:00-05:00", "2026-11-21T10:00:00Z"),
            ("AWS_Credential_Expiration = 2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"),
            ("aws_credentials_expiration = 2026-11-21t10:00:00z", "2026-11-21T10:00:00Z"),
            ("expiration = 2026-11-21T10:00:00Z\naws_expiration = 2026-11-21T09:00:00Z", "2026-11-21T09:00:00Z"),
            ("expiration = 2026-11-21T10:00:00Z\naws_expiration = soon", "2026-11-21T10:00:00Z"),
            // Local time without an offset.
            ("expiration = 2026-11-21 10:00:00", nil), ("aws_expiration = 1795255200", nil), ("aws_expiration =", nil),
            ("region = eu-west-1", nil),
        ] as [(String, String?)])
    func sessionEnd(_ lines: String, _ end: String?) throws {
        let keys = "[default]\naws_access_key_id = AKID\naws_secret_access_key = s3cret\n"
        let temporary = try Self.credentials(inFile: keys + "aws_session_token = t0ken\n" + lines)
        #expect(temporary.expiration?.rfc3339Text == end)
        let warning = temporary.unknownExpirationWarning
        #expect((warning == nil) == (end != nil))
        #expect(warning?.contains("profile default") != false)
        #expect(warning?.contains("t0ken") != true)
        // Without a token, credentials do not expire.
        let lasting = try Self.credentials(inFile: keys + lines)
        #expect(lasting.expiration == nil && lasting.unknownExpirationWarning == nil)
    }

    /// The credentials of the default profile.
    private static func credentials(inFile text: String) throws -> Credentials {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let source = SharedFilesCredentialSource(
            environment(["AWS_SHARED_CREDENTIALS_FILE": file.path, "AWS_CONFIG_FILE": "/nonexistent"]), profile: nil)
        return try #require(try source.credentials())
    }

    @Test(
        "A file with a byte order mark is a mistake and ends the chain; a missing file does not")
    func brokenFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let marked = folder.path + "/marked"
        try Data("\u{FEFF}[default]\naws_access_key_id=A\naws_secret_access_key=s\n".utf8)
            .write(to: URL(filePath: marked))
        #expect(Self.chosen(["AWS_SHARED_CREDENTIALS_FILE": marked]).contains("byte order mark"))
        for absent in [["HOME": folder.path], ["AWS_SHARED_CREDENTIALS_FILE": folder.path + "/absent"]] {
            #expect(Self.chosen(absent.merging(["AWS_EC2_METADATA_DISABLED": "true"]) { $1 }) == "none")
        }
    }

    /// The first configured source of the chain with these variables.
    private static func chosen(_ values: [String: String]) -> String {
        do {
            switch try CredentialSelection.chain.source(environment: { values[$0] }).resolve() {
            case nil: return "none"
            case .keys(let credentials): return credentials.accessKeyID
            case .fetched(let fetcher): return "\(type(of: fetcher))"
            }
        } catch {
            return "failure: \(error)"
        }
    }

    private static let keys = ["AWS_ACCESS_KEY_ID": "AKIDENV", "AWS_SECRET_ACCESS_KEY": "s"]
    private static let role = [
        "AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": "arn:aws:iam::1:role/x", "AWS_REGION": "eu-west-1",
    ]
    private static let container = ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/x"]
    private static let off = ["AWS_EC2_METADATA_DISABLED": "TRUE", "HOME": "/nonexistent"]

    @Test(
        "The chain has the order of the SDKs, and a broken source is never skipped",
        arguments: [
            ([keys, role, container], "AKIDENV"), ([role, container], "WebIdentityCredentials"),
            ([container, off], "ContainerCredentials"), ([["HOME": "/nonexistent"]], "InstanceCredentials"),
            ([off], "none"), ([["AWS_ACCESS_KEY_ID": "A"], role, off], "failure: credentials from environment"),
            ([["AWS_WEB_IDENTITY_TOKEN_FILE": "/t"], container], "failure: credentials from web identity"),
            ([["AWS_PROFILE": "gone", "HOME": "/nonexistent"], container], "failure: credentials from profile gone"),
            ([["AWS_CONTAINER_CREDENTIALS_FULL_URI": "nonsense"], off], "failure: credentials from container"),
            ([["AWS_ROLE_ARN": "arn:aws:iam::1:role/x"], off], "none"),
        ] as [([[String: String]], String)])
    func chain(variables: [[String: String]], expected: String) {
        let all = variables.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        let found = Self.chosen(["HOME": "/nonexistent"].merging(all) { _, given in given })
        #expect(expected.hasPrefix("failure") ? found.hasPrefix(expected) : found == expected, "\(found)")
    }

    @Test(
        "Every selection is parsed, and used without the chain",
        arguments: ["chain", "environment", "profile:x", "process", "container", "imds", "webIdentity"])
    func spellings(text: String) throws {
        let selection = try #require(CredentialSelection(text))
        #expect(selection.description == text)
        let source = selection.source(environment: { Self.off[$0] })
        switch selection {
        case .profile, .process: #expect(throws: CredentialFailure.self) { _ = try source.resolve() }
        default: #expect(try source.resolve() == nil)
        }
    }

    @Test("Other selections are rejected", arguments: ["", "profile:", "IMDS", "env", "chain ", "profile"])
    func noSpellings(text: String) { #expect(CredentialSelection(text) == nil) }

    @Test(
        "Commands are split like in a shell, without expansion",
        arguments: [
            ("a", ["a"]), ("  a\tb  ", ["a", "b"]), ("a 'b c' \"d e\"", ["a", "b c", "d e"]), ("a\\ b", ["a b"]),
            ("'$HOME' \"$(x)\" `y` ~ *", ["$HOME", "$(x)", "`y`", "~", "*"]), ("a''b\"\"", ["ab"]),
            ("'' x", ["", "x"]),
            ("\"a\\\"b\\\\c\\d\"", ["a\"b\\c\\d"]), ("'a\\'", ["a\\"]), ("a;b|c>d&", ["a;b|c>d&"]),
            ("é\u{301}", ["é\u{301}"]),
            ("", []), ("'", nil), ("\"a", nil), ("a\\", nil), ("\"a\\", nil),
        ] as [(String, [String]?)])
    func words(text: String, expected: [String]?) { #expect(CommandWords.split(text) == expected) }
}
