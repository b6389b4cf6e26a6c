import Foundation
import Presigning
import Testing

@testable import PresignService

@Suite("Credential sources")
struct CredentialSourceTests {
    private static func environment(_ values: [String: String]) -> @Sendable (String) -> String? {
        { values[$0] }
    }

    @Test("the environment: both keys, a token, an expiration")
    func environmentIsRead() throws {
        let source = EnvironmentCredentialSource(
            environment: Self.environment([
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
        "the environment: nothing is nothing, half a pair is a mistake",
        arguments: [
            ([:], nil), (["AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""], nil),
            (["AWS_ACCESS_KEY_ID": "AKID"], "AWS_SECRET_ACCESS_KEY is not set"),
            (["AWS_SECRET_ACCESS_KEY": "s3cret"], "AWS_ACCESS_KEY_ID is not set"),
            (
                ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "s3cret", "AWS_CREDENTIAL_EXPIRATION": "soon"],
                "RFC 3339"
            ),
        ] as [([String: String], String?)])
    func environmentMistakes(values: [String: String], message: String?) throws {
        let source = EnvironmentCredentialSource(environment: Self.environment(values))
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
        """

    @Test(
        "the shared files: profiles, comments, nested settings, both files",
        arguments: [
            (nil, "AKIDDEFAULT"), ("dev", "AKIDDEV"), ("other", "AKIDOTHER"), ("missing", "error: no such profile"),
            ("half", "error: only one of"), ("role", "error: role_arn"),
        ] as [(String?, String)])
    func sharedFiles(profile: String?, expected: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.credentialsFile.write(
            to: folder.appendingPathComponent("credentials"), atomically: true, encoding: .utf8)
        try Self.configurationFile.write(to: folder.appendingPathComponent("config"), atomically: true, encoding: .utf8)
        let source = SharedFilesCredentialSource(
            profile: profile,
            environment: Self.environment([
                "AWS_SHARED_CREDENTIALS_FILE": folder.path + "/credentials", "AWS_CONFIG_FILE": folder.path + "/config",
            ]))
        do {
            #expect(try source.credentials()?.accessKeyID == expected)
        } catch {
            #expect(expected.hasPrefix("error: ") && "\(error)".contains(expected.dropFirst(7)), "\(error)")
        }
    }

    @Test("the chain: the environment first, then the files; a broken source is never passed over")
    func chain() throws {
        let broken = CredentialSelection.chain.source(environment: Self.environment(["AWS_ACCESS_KEY_ID": "A"]))
        #expect(throws: CredentialFailure.self) { try broken.credentials() }
        let empty = CredentialSelection.chain.source(environment: Self.environment(["HOME": "/nonexistent"]))
        #expect(try empty.credentials() == nil)
        #expect(CredentialSelection("profile:x") == .profile("x"))
        #expect(CredentialSelection("profile:") == nil)
        #expect(CredentialSelection("imds") == nil)
    }
}
