import Foundation
import Testing

/// A bare repository, its clones, and the Git LFS API of a service; unmodified git and git-lfs.
struct GitRepository: Sendable {
    let folder: URL
    /// The URL of the Git LFS API.
    let api: String

    /// Runs the body with an empty repository whose objects are in `prefix` of the scenario's store.
    ///
    /// - Parameters:
    ///   - auth: authentication in addition to the API key, in YAML's flow style.
    ///   - rules: additional rules; `PREFIX` stands for the prefix of the objects.
    static func run(
        on kind: StorageKind, auth: String? = nil, rules: [String] = [],
        _ body: (GitRepository, Scenario) async throws -> Void
    ) async throws {
        let prefix = "lfs-\(UUID().uuidString)"
        try await Scenario.run(
            on: kind, store: ["validateObjectExistence": "true"], auth: auth,
            rules: rules.map { $0.replacing("PREFIX", with: prefix) }, sections: "lfs: {prefix: \(prefix)}"
        ) { scenario in
            try await withTemporaryDirectory { folder in
                let repository = GitRepository(
                    folder: folder, api: "http://\(scenario.service.address)/lfs/acme/app")
                try await repository.git(["lfs", "install"], in: "")
                try await repository.git(["init", "-q", "--bare", "-b", "main", "origin.git"], in: "")
                try await repository.clone("work", key: scenario.service.apiKey)
                try await repository.git(["lfs", "track", "*.bin"], in: "work")
                try await repository.git(["config", "-f", ".lfsconfig", "lfs.url", repository.api], in: "work")
                try await body(repository, scenario)
            }
        }
    }

    /// Clones the repository.
    ///
    /// - Parameter key: the password that git's credential helper prints.
    @discardableResult
    func clone(_ name: String, key: String) async throws -> Command.Result {
        let helper = "!f() { echo username=git; echo password=\(key); }; f"
        let result = try await tryGit(["-c", "credential.helper=\(helper)", "clone", "-q", "origin.git", name], in: "")
        if result.status == 0 { try await git(["config", "credential.helper", helper], in: name) }
        return result
    }

    /// Writes files, commits and pushes them.
    func push(_ files: [String: Data], from clone: String = "work") async throws -> Command.Result {
        try await commit(files, in: clone)
        return try await tryGit(["push", "-q", "origin", "HEAD:\(clone)"], in: clone)
    }

    /// Pushes every object of the clone, and returns the number of uploads that git-lfs has sent.
    func uploads(from clone: String = "work") async throws -> Int {
        let push = try await tryGit(
            ["lfs", "push", "--all", "origin"], in: clone, environment: ["GIT_CURL_VERBOSE": "1"])
        try #require(push.status == 0, "\(push.errors)")
        return push.errors.matches(of: #/> PUT /#).count
    }

    func commit(_ files: [String: Data], in clone: String) async throws {
        for (name, content) in files { try content.write(to: folder.appending(path: "\(clone)/\(name)")) }
        try await git(["add", "."], in: clone)
        try await git(["commit", "-q", "-m", "files"], in: clone)
    }

    /// Runs git and expects success.
    @discardableResult
    func git(_ arguments: [String], in clone: String) async throws -> String {
        let result = try await tryGit(arguments, in: clone)
        try #require(result.status == 0, "git \(arguments.joined(separator: " ")): \(result.errors)")
        return result.output
    }

    func tryGit(
        _ arguments: [String], in clone: String, environment: [String: String] = [:]
    ) async throws -> Command.Result {
        try await Command.run(
            "/usr/bin/git", ["-C", folder.appending(path: clone).path()] + arguments,
            environment: [
                "HOME": folder.path(), "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
                "GIT_AUTHOR_NAME": "dev", "GIT_AUTHOR_EMAIL": "dev@example.com", "GIT_COMMITTER_NAME": "dev",
                "GIT_COMMITTER_EMAIL": "dev@example.com",
            ].merging(environment) { _, given in given })
    }

    /// The content of a file of a clone.
    func content(_ name: String, in clone: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: "\(clone)/\(name)"))
    }
}
