import DataFormats
import Presigning
import System

/// A profile of the shared credentials and configuration files: its keys, or else its `credential_process`.
///
/// The credentials file takes precedence. In the configuration file, a profile's section is `[profile NAME]`, or
/// `[default]` for the default profile. Source: AWS SDKs and Tools Reference Guide, "Shared config and credentials
/// files".
package struct SharedFilesCredentialSource: CredentialSource {
    /// The settings of the profile in one file.
    private struct Section {
        let path: String
        let settings: [String: String]
    }

    private let variables: CredentialVariables
    private let profile: String?
    private let takesKeys: Bool

    /// - Parameters:
    ///   - profile: the name of the profile. Nil uses `AWS_PROFILE`, or `default` if that is not set.
    ///   - takesKeys: whether to use the profile's keys. If false, only `credential_process` is used.
    package init(_ variables: CredentialVariables, profile: String?, takesKeys: Bool = true) {
        self.variables = variables
        self.profile = profile
        self.takesKeys = takesKeys
    }

    /// The paths of the credentials file and the configuration file, if they are known.
    package var files: [String] { locations(of: "default").map(\.path) }

    /// Returns the profile's keys or program, or nil if neither a named nor a default profile exists.
    package func resolve() throws(CredentialFailure) -> CredentialResolution? {
        let requested = profile ?? variables["AWS_PROFILE"]
        let name = requested ?? "default"
        var sections: [Section] = []
        for location in locations(of: name) {
            if let settings = try settings(in: location.path, sections: location.sections, profile: name) {
                sections.append(Section(path: location.path, settings: settings))
            }
        }
        // Reject a role before using the profile's keys: those keys are only for assuming the role.
        try reject(["role_arn"], in: sections, of: name)
        if takesKeys {
            for section in sections { if let found = try keys(in: section, of: name) { return .keys(found) } }
        }
        for section in sections {
            guard let command = section.settings["credential_process"], !command.isEmpty else { continue }
            return .fetched(try ProcessCredentials(command, of: name, in: section.path, path: variables["PATH"]))
        }
        try reject(["sso_session", "sso_start_url", "login_session"], in: sections, of: name)
        guard requested == nil, takesKeys else {
            throw failure(
                name, "the shared files have no such profile with \(takesKeys ? "keys" : "credential_process")")
        }
        return nil
    }

    private func locations(of profile: String) -> [(path: String, sections: [String])] {
        [
            ("AWS_SHARED_CREDENTIALS_FILE", "/.aws/credentials", [profile]),
            (
                "AWS_CONFIG_FILE", "/.aws/config",
                ["profile \(profile)"] + (profile == "default" ? ["default"] : [])
            ),
        ].compactMap { variable, fallback, sections in
            (variables[variable] ?? variables["HOME"].map { $0 + fallback }).map { ($0, sections) }
        }
    }

    private func keys(in section: Section, of profile: String) throws(CredentialFailure) -> Credentials? {
        let id = section.settings["aws_access_key_id"]
        let secret = section.settings["aws_secret_access_key"]
        guard let id, let secret, !id.isEmpty, !secret.isEmpty else {
            guard id == nil && secret == nil else {
                throw failure(
                    profile, "\(section.path) must set both aws_access_key_id and aws_secret_access_key")
            }
            return nil
        }
        let token = section.settings["aws_session_token"].flatMap { $0.isEmpty ? nil : $0 }
        return try Credentials(
            from: "profile \(profile)", id, secret, sessionToken: token,
            expiration: token == nil ? nil : SharedFileExpiration.time(in: section.settings))
    }

    private func reject(
        _ names: [String], in sections: [Section], of profile: String
    ) throws(CredentialFailure) {
        for section in sections {
            guard let name = names.first(where: { section.settings[$0] != nil }) else { continue }
            throw failure(
                profile,
                "\(section.path) uses \(name), which presign does not support; use static keys or a credential_process"
                    + " such as `aws configure export-credentials --profile \(profile)`")
        }
    }

    private func settings(
        in path: String, sections: [String], profile: String
    ) throws(CredentialFailure) -> [String: String]? {
        let content: [UInt8]
        do {
            content = try ReadableFile.contents(of: path)
        } catch {
            // The AWS SDKs also ignore a missing file that a variable names.
            if error.isAbsent { return nil }
            throw failure(profile, error.description)
        }
        guard let file = INIFile(content) else {
            throw failure(profile, "\(path) must be UTF-8 without a byte order mark")
        }
        return sections.lazy.compactMap { file.sections[$0] }.first
    }

    private func failure(_ profile: String, _ reason: String) -> CredentialFailure {
        CredentialFailure(source: "profile \(profile)", reason: reason)
    }
}

/// The expiration of a profile's session token. The AWS SDKs define no key for it, so every tool uses its own.
enum SharedFileExpiration {
    /// `x_security_token_expires` is the key of saml2aws, `aws_expiration` of aws-azure-login, `expiration` of aws-mfa.
    /// Smaller tools use the others.
    private static let names = [
        "x_security_token_expires", "aws_expiration", "aws_session_expiration", "aws_session_token_expiration",
        "aws_credential_expiration", "aws_credentials_expiration", "expiration",
    ]

    /// Returns the earliest expiration in a profile, or nil if it has none. Times without a UTC offset are ignored.
    static func time(in settings: [String: String]) -> SigningTime? {
        names.compactMap { settings[$0].flatMap(time) }.min()
    }

    /// Parses RFC 3339, and the variants of some tools: a space instead of the `T`, an offset without the colon.
    private static func time(_ text: String) -> SigningTime? {
        var bytes = Array(text.utf8)
        if bytes.count > 10, bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
        if bytes.count > 5, "+-".utf8.contains(bytes[bytes.count - 5]) {
            bytes.insert(UInt8(ascii: ":"), at: bytes.count - 2)
        }
        return SigningTime(rfc3339: String(decoding: bytes, as: UTF8.self))
    }
}
