package import Presigning
import SystemInterface

/// A profile of the shared credentials and configuration files.
///
/// Source: AWS SDKs and Tools Reference Guide, "Shared config and credentials files". The credentials file wins;
/// in the configuration file a profile is `[profile NAME]`, the default one also `[default]`.
package struct SharedFilesCredentialSource: CredentialSource {
    private let profile: String?
    private let environment: @Sendable (String) -> String?

    /// - Parameter profile: nil means `AWS_PROFILE`, or else `default`.
    package init(profile: String?, environment: @escaping @Sendable (String) -> String?) {
        self.profile = profile
        self.environment = environment
    }

    /// The profile's static keys; nil when no profile was asked for and none is there.
    package func credentials() throws(CredentialFailure) -> Credentials? {
        let chosen = profile ?? environment("AWS_PROFILE").flatMap { $0.isEmpty ? nil : $0 }
        let name = chosen ?? "default"
        let files: [(variable: String, fallback: String, sections: [String])] = [
            ("AWS_SHARED_CREDENTIALS_FILE", "/.aws/credentials", [name]),
            ("AWS_CONFIG_FILE", "/.aws/config", ["profile \(name)"] + (name == "default" ? ["default"] : [])),
        ]
        for file in files {
            guard let path = environment(file.variable) ?? environment("HOME").map({ $0 + file.fallback }) else {
                continue
            }
            if let found = try credentials(in: path, sections: file.sections, profile: name) { return found }
        }
        // A profile asked for by name and not found is a mistake, not an absence.
        if chosen != nil { throw failure(name, "no such profile with keys in the shared files") }
        return nil
    }

    private func credentials(
        in path: String, sections: [String], profile: String
    ) throws(CredentialFailure) -> Credentials? {
        guard let settings = try settings(in: path, sections: sections, profile: profile) else { return nil }
        let id = settings["aws_access_key_id"]
        let secret = settings["aws_secret_access_key"]
        guard let id, let secret, !id.isEmpty, !secret.isEmpty else {
            if id != nil || secret != nil {
                throw failure(profile, "\(path) gives only one of aws_access_key_id and aws_secret_access_key")
            }
            for unsupported in ["role_arn", "credential_process", "sso_session", "sso_start_url"]
            where settings[unsupported] != nil {
                throw failure(profile, "\(path) asks for \(unsupported), which presign cannot use; give static keys")
            }
            return nil
        }
        return try Credentials(
            from: "profile \(profile)", id, secret,
            sessionToken: settings["aws_session_token"].flatMap { $0.isEmpty ? nil : $0 })
    }

    private func settings(
        in path: String, sections: [String], profile: String
    ) throws(CredentialFailure) -> [String: String]? {
        let content: [UInt8]
        do {
            content = try ReadableFile.contents(of: path)
        } catch {
            if error.isAbsent { return nil }
            throw failure(profile, error.description)
        }
        guard let file = SharedFile(content) else { throw failure(profile, "\(path) is not valid UTF-8") }
        return sections.lazy.compactMap { file.sections[$0] }.first
    }

    private func failure(_ profile: String, _ reason: String) -> CredentialFailure {
        CredentialFailure(source: "profile \(profile)", reason: reason)
    }
}
