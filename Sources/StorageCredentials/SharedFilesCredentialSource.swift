import DataFormats
import Presigning
import System

/// A profile of the shared credentials and configuration files: its keys, or else its `credential_process`.
///
/// Source: AWS SDKs and Tools Reference Guide, "Shared config and credentials files". The credentials file wins;
/// in the configuration file a profile is `[profile NAME]`, the default one also `[default]`.
package struct SharedFilesCredentialSource: CredentialSource {
    /// A file's settings for the profile.
    private struct Section {
        let path: String
        let settings: [String: String]
    }

    private let variables: CredentialVariables
    private let profile: String?
    private let takesKeys: Bool

    /// - Parameters:
    ///   - profile: nil means `AWS_PROFILE`, or else `default`.
    ///   - takesKeys: false looks at `credential_process` only.
    package init(_ variables: CredentialVariables, profile: String?, takesKeys: Bool = true) {
        self.variables = variables
        self.profile = profile
        self.takesKeys = takesKeys
    }

    /// The credentials file and the configuration file, where they are known.
    package var files: [String] { places(of: "default").map(\.path) }

    /// The profile's keys or program; nil when no profile was asked for and none is there.
    package func origin() throws(CredentialFailure) -> CredentialResolution? {
        let chosen = profile ?? variables["AWS_PROFILE"]
        let name = chosen ?? "default"
        var sections: [Section] = []
        for place in places(of: name) {
            if let settings = try settings(in: place.path, sections: place.sections, profile: name) {
                sections.append(Section(path: place.path, settings: settings))
            }
        }
        // A role comes before the keys that it would be assumed with: those are not what was asked for.
        try refuse(["role_arn"], in: sections, of: name)
        if takesKeys {
            for section in sections { if let found = try keys(in: section, of: name) { return .keys(found) } }
        }
        for section in sections {
            guard let command = section.settings["credential_process"], !command.isEmpty else { continue }
            return .fetched(try ProcessCredentials(command, of: name, in: section.path, path: variables["PATH"]))
        }
        try refuse(["sso_session", "sso_start_url", "login_session"], in: sections, of: name)
        // A profile asked for by name and not found is a mistake, not an absence.
        guard chosen == nil, takesKeys else {
            throw failure(name, "no such profile with \(takesKeys ? "keys" : "credential_process") in the shared files")
        }
        return nil
    }

    private func places(of profile: String) -> [(path: String, sections: [String])] {
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
                    profile, "\(section.path) gives only one of aws_access_key_id and aws_secret_access_key")
            }
            return nil
        }
        let token = section.settings["aws_session_token"].flatMap { $0.isEmpty ? nil : $0 }
        return try Credentials(
            from: "profile \(profile)", id, secret, sessionToken: token,
            expiration: token == nil ? nil : SharedFileExpiration.time(in: section.settings))
    }

    private func refuse(
        _ names: [String], in sections: [Section], of profile: String
    ) throws(CredentialFailure) {
        for section in sections {
            guard let name = names.first(where: { section.settings[$0] != nil }) else { continue }
            throw failure(
                profile,
                "\(section.path) asks for \(name), which presign cannot use; give static keys, or a credential_process"
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
            // As for the SDKs, also where a variable names it.
            if error.isAbsent { return nil }
            throw failure(profile, error.description)
        }
        guard let file = INIFile(content) else {
            throw failure(profile, "\(path) is not UTF-8 without a byte order mark")
        }
        return sections.lazy.compactMap { file.sections[$0] }.first
    }

    private func failure(_ profile: String, _ reason: String) -> CredentialFailure {
        CredentialFailure(source: "profile \(profile)", reason: reason)
    }
}
