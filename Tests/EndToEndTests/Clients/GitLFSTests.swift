import Foundation
import TestSupport
import Testing

@Suite("Git LFS: unmodified git and git-lfs", .realParts)
struct GitLFSTests {
    /// The storages of tests whose result hardly depends on them: only a long run has all.
    private static let kinds = StorageKind.atLeast(.local)
    private static let largest = isLongRun ? 1 << 30 : 32 << 20

    private static func random(_ count: Int) throws -> Data {
        try #require(try FileHandle(forReadingFrom: URL(filePath: "/dev/urandom")).read(upToCount: count))
    }

    @Test("500 objects and a large one are pushed, and a clone has them", arguments: kinds)
    func pushAndClone(kind: StorageKind) async throws {
        try await GitRepository.run(on: kind) { repository, scenario in
            var files = Dictionary(uniqueKeysWithValues: try (0..<500).map { ("\($0).bin", try Self.random(100)) })
            files["large.bin"] = try Self.random(Self.largest)
            let push = try await repository.push(files)
            #expect(push.status == 0, "\(push.errors)")
            try await repository.git(["-C", "../origin.git", "symbolic-ref", "HEAD", "refs/heads/work"], in: "work")
            let clone = try await repository.clone("copy", key: scenario.service.apiKey)
            #expect(clone.status == 0, "\(clone.errors)")
            let wrong = try files.filter { try repository.content($0.key, in: "copy") != $0.value }.keys
            #expect(wrong.isEmpty)
            #expect(try await repository.git(["lfs", "ls-files"], in: "copy").split(separator: "\n").count == 501)
        }
    }

    @Test("A missing object is named, and the others arrive", arguments: kinds.suffix(1))
    func missing(kind: StorageKind) async throws {
        try await GitRepository.run(on: kind) { repository, _ in
            try await repository.commit(["a.bin": Data("a".utf8), "b.bin": Data("b".utf8)], in: "work")
            let id = try await repository.git(["lfs", "ls-files", "-l", "-I", "b.bin"], in: "work").prefix(64)
            try await repository.git(["lfs", "push", "origin", "--object-id", String(id)], in: "work")
            try FileManager.default.removeItem(at: repository.folder.appending(path: "work/.git/lfs/objects"))
            let fetch = try await repository.tryGit(["lfs", "fetch", "origin", "main"], in: "work")
            #expect(fetch.status != 0 && fetch.errors.contains("No object exists at this path"), "\(fetch)")
            let found = FileManager.default.enumerator(
                at: repository.folder.appending(path: "work/.git/lfs/objects"), includingPropertiesForKeys: nil)
            #expect(found?.contains { ($0 as? URL)?.lastPathComponent == String(id) } == true)
        }
    }

    @Test("A clone without the large files reverts a removal, and pushes", arguments: kinds)
    func revert(kind: StorageKind) async throws {
        try await GitRepository.run(on: kind) { repository, scenario in
            let push = try await repository.push(["a.bin": try Self.random(100_000)])
            #expect(push.status == 0, "\(push.errors)")
            // As GIT_LFS_SKIP_SMUDGE=1: clones have pointers in place of the objects.
            try await repository.git(["lfs", "install", "--force", "--skip-smudge"], in: "")
            try await repository.git(["symbolic-ref", "HEAD", "refs/heads/work"], in: "origin.git")
            try await repository.clone("copy", key: scenario.service.apiKey)
            try await repository.git(["rm", "-q", "a.bin"], in: "copy")
            try await repository.git(["commit", "-q", "-m", "removed"], in: "copy")
            try await repository.git(["revert", "--no-edit", "HEAD"], in: "copy")
            #expect(try repository.content("a.bin", in: "copy").count < 1000)
            let reverted = try await repository.tryGit(["push", "-q", "origin", "HEAD:work"], in: "copy")
            #expect(reverted.status == 0, "\(reverted.errors)")
        }
    }

    @Test("Only new objects are sent again", arguments: kinds)
    func pushAll(kind: StorageKind) async throws {
        try await GitRepository.run(on: kind) { repository, _ in
            let files = ["empty.bin": Data(), "a.bin": try Self.random(1000), "b.bin": try Self.random(2000)]
            #expect(try await repository.push(files).status == 0)
            #expect(try await repository.uploads() == 0)
            try await repository.commit(["c.bin": try Self.random(3000)], in: "work")
            #expect(try await repository.uploads() == 1)
        }
    }

    @Test("A wrong key and a key that may only read are told so", arguments: kinds.suffix(1))
    func refused(kind: StorageKind) async throws {
        let rule = #"{path: "PREFIX/**", allow: {authenticated: [read]}}"#
        try await GitRepository.run(on: kind, rules: [rule]) { repository, scenario in
            let readOnly = try await repository.push(["a.bin": Data("a".utf8)])
            #expect(readOnly.status != 0 && readOnly.errors.contains("do not allow you"), "\(readOnly.errors)")
            let wrong = String(scenario.service.apiKey.dropLast()) + "-"
            // git erases a wrong password from the file, and then has none.
            let file = repository.folder.appending(path: "credentials")
            try Data("http://git:\(wrong)@\(scenario.service.address)\n".utf8).write(to: file)
            try await repository.git(["config", "credential.helper", "store --file=\(file.path())"], in: "work")
            let push = try await repository.tryGit(["lfs", "push", "origin", "--all"], in: "work")
            #expect(push.status != 0 && push.errors.lowercased().contains("credentials"), "\(push.errors)")
            #expect(try Data(contentsOf: file).isEmpty)
        }
    }

    @Test("A token that has expired is replaced by the credential helper", arguments: kinds.suffix(1))
    func expired(kind: StorageKind) async throws {
        try await withTemporaryDirectory { folder in
            let secret = folder.appending(path: "secret")
            try Data("a-secret-of-the-tests-of-git-lfs-only".utf8).write(to: secret)
            let issuer =
                "{name: git, issuer: git-tests, audience: presign, algorithms: [HS256], secretFile: \"\(secret.path())\"}"
            try await GitRepository.run(on: kind, auth: "jwt: [\(issuer)]") { repository, scenario in
                let state = folder.appending(path: "state").path()
                let script = Python.script("git_credential_token")
                try await repository.git(
                    ["config", "credential.helper", "!python3 '\(script)' '\(secret.path())' '\(state)'"], in: "work")
                let push = try await repository.push(["a.bin": Data("a".utf8)])
                #expect(push.status == 0, "\(push.errors)")
                let log = try String(contentsOf: scenario.service.requests, encoding: .utf8)
                #expect(log.contains(#""reason":"token: expired"#), "\(log)")
            }
        }
    }

    @Test("Two clones push the same object at the same time", arguments: kinds)
    func concurrent(kind: StorageKind) async throws {
        try await GitRepository.run(on: kind) { repository, scenario in
            try await repository.clone("other", key: scenario.service.apiKey)
            try await repository.git(["config", "lfs.url", repository.api], in: "other")
            try await repository.git(["lfs", "track", "*.bin"], in: "other")
            let content = try Self.random(1 << 20)
            async let first = repository.push(["a.bin": content])
            async let second = repository.push(["a.bin": content], from: "other")
            for push in [try await first, try await second] { #expect(push.status == 0, "\(push.errors)") }
        }
    }
}
