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
        /// The settings of single AWS services, such as `s3.endpoint_url`.
        let services: [String: String]
    }

    private let variables: CredentialVariables
    private let profile: String?
    private let takesKeys: Bool

    /// - Parameters:
    ///   - profile: the name of the profile. Nil uses `AWS_PROFILE`, `AWS_DEFAULT_PROFILE`, or `default` if neither is
    ///     set.
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
        let requested = requestedProfile
        let name = requested ?? "default"
        let sections = try sections(of: name)
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

    /// Returns a setting of the profile, such as `region`, from the first file in which it is not empty.
    ///
    /// - Parameter isOfService: whether to read it from the section that the profile names as `services`.
    package func setting(_ name: String, isOfService: Bool = false) throws(CredentialFailure) -> String? {
        try sections(of: requestedProfile ?? "default").lazy
            .compactMap { (isOfService ? $0.services : $0.settings)[name] }.first { !$0.isEmpty }
    }

    private var requestedProfile: String? {
        profile ?? variables["AWS_PROFILE"] ?? variables["AWS_DEFAULT_PROFILE"]
    }

    private func sections(of profile: String) throws(CredentialFailure) -> [Section] {
        var sections: [Section] = []
        for location in locations(of: profile) {
            if let section = try section(in: location.path, names: location.sections, profile: profile) {
                sections.append(section)
            }
        }
        return sections
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
        let settings = section.settings.filter { !$0.value.isEmpty }
        let id = settings["aws_access_key_id"]
        let secret = settings["aws_secret_access_key"]
        guard let id, let secret else {
            guard id == nil && secret == nil else {
                throw failure(
                    profile, "\(section.path) must set both aws_access_key_id and aws_secret_access_key")
            }
            return nil
        }
        let token = settings["aws_session_token"] ?? settings["aws_security_token"]
        return try Credentials(
            from: "profile \(profile)", id, secret, sessionToken: token,
            expiration: token == nil ? nil : SharedFileExpiration.time(in: settings))
    }

    private func reject(
        _ names: [String], in sections: [Section], of profile: String
    ) throws(CredentialFailure) {
        for section in sections {
            guard let name = names.first(where: { section.settings[$0]?.isEmpty == false }) else { continue }
            throw failure(
                profile,
                "\(section.path) uses \(name), which presign does not support; use static keys or a credential_process"
                    + " such as `aws configure export-credentials --profile \(profile)`")
        }
    }

    private func section(
        in path: String, names: [String], profile: String
    ) throws(CredentialFailure) -> Section? {
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
        return names.lazy.compactMap { file.sections[$0] }.first.map { settings in
            Section(
                path: path, settings: settings, services: file.sections["services \(settings["services"] ?? "")"] ?? [:]
            )
        }
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
