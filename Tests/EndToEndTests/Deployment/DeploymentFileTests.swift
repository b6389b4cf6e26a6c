import Foundation
import Testing

@Suite("Deployment files and their validators")
struct DeploymentFileTests {
    private static func names(in folder: String, _ ending: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Deployment.file(folder).path())
            .filter { $0.hasSuffix(ending) }.sorted()
    }

    private static let folders = ["config/kubernetes", "config/kubernetes-overlay"]

    private static func manifests(in folder: String) throws -> [String] {
        try names(in: folder, ".yaml").filter { !["kustomization.yaml", "presign.yaml"].contains($0) }
    }

    @Test("Kubernetes: every manifest matches its schema, without unknown members", .validators)
    func manifests() async throws {
        let paths = try Self.folders.flatMap { folder in
            try Self.manifests(in: folder).map { Deployment.file("\(folder)/\($0)").path() }
        }
        let result = try await Deployment.validate("kubernetes-validate", ["--strict", "--no-warn"] + paths)
        #expect(result.status == 0, "\(result)")
        // The validator reports every file, so it has read them all.
        #expect((result.output + result.errors).split(separator: "\n").count { $0.contains("passed") } == paths.count)
    }

    @Test(
        "Kubernetes: the network policy allows the documented traffic, and private storage once its rules are uncommented",
        .validators,
        arguments: [
            ("kube-system 53 UDP", "yes", "yes"), ("kube-system 53 TCP", "yes", "yes"),
            ("openshift-dns 5353 UDP", "yes", "yes"), ("openshift-dns 5353 TCP", "yes", "yes"),
            ("169.254.20.10 53 UDP", "yes", "yes"), ("169.254.20.10 53 TCP", "yes", "yes"),
            ("169.254.170.23 80 TCP", "yes", "yes"), ("52.218.0.1 443 TCP", "yes", "yes"),
            ("52.218.0.1 80 TCP", "no", "no"), ("8.8.8.8 53 UDP", "no", "no"), ("10.1.2.3 443 TCP", "no", "no"),
            ("default 53 UDP", "no", "no"), ("kube-system 443 TCP", "no", "no"),
            ("10.0.2.3 443 TCP", "no", "yes"), ("minio 9000 TCP", "no", "yes"), ("minio 443 TCP", "no", "no"),
        ])
    func networkPolicy(question: String, shipped: String, uncommented: String) async throws {
        let file = Deployment.file("config/kubernetes/networkpolicy.yaml").path()
        for (options, response) in [([], shipped), (["--uncommented"], uncommented)] {
            let result = try await Deployment.script("network_policy", [file] + options, input: Data(question.utf8))
            #expect(result.status == 0 && result.output == response + "\n", "\(result)")
        }
    }

    @Test("Kubernetes: base and overlay list each of their manifests once", arguments: folders)
    func lists(folder: String) throws {
        let text = try String(contentsOf: Deployment.file("\(folder)/kustomization.yaml"), encoding: .utf8)
        let named = text.split(separator: "\n").filter { $0.hasPrefix("  - ") && $0.hasSuffix(".yaml") }
            .map { String($0.dropFirst(4)) }
        #expect(try named.sorted() == Self.manifests(in: folder))
    }

    @Test("Kubernetes: the overlay's Ingress and Secret fit the base, and the variables are those that presign reads")
    func overlay() throws {
        let text = { (name: String) in try String(contentsOf: Deployment.file("config/\(name)"), encoding: .utf8) }
        let overlay = try text("kubernetes-overlay/kustomization.yaml")
        let secret = try text("kubernetes-overlay/secret.yaml")
        let secretName = try #require(secret.firstMatch(of: /name: (presign-[a-z]+)/)).1
        #expect(overlay.contains("secretRef: {name: \(secretName)}") && overlay.contains("  - ../kubernetes\n"))
        for variable in ["AWS_ACCESS_KEY_ID: ", "AWS_SECRET_ACCESS_KEY: "] { #expect(secret.contains("  " + variable)) }
        let (service, ingress) = (try text("kubernetes/service.yaml"), try text("kubernetes-overlay/ingress.yaml"))
        #expect(service.contains("  name: presign\n") && ingress.contains("                name: presign\n"))
        #expect(service.contains("    - name: http\n") && ingress.contains("port: {name: http}"))
        let policy = try text("kubernetes/networkpolicy.yaml")
        let controller = try #require(policy.firstMatch(of: /metadata.name: ingress-([a-z]+)/)).1
        #expect(ingress.contains("ingressClassName: \(controller)\n"))
    }

    @Test(
        "Kubernetes: kustomize builds a valid base and a valid overlay", .validators,
        .program("/usr/bin/kubectl", "neither Debian 12 nor PyPI has kustomize"), arguments: folders)
    func kustomize(folder: String) async throws {
        let built = try await Command.run("/usr/bin/kubectl", ["kustomize", Deployment.file(folder).path()])
        try #require(built.status == 0, "\(built.errors)")
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "built.yaml")
            try Data(built.output.utf8).write(to: file)
            let result = try await Deployment.validate("kubernetes-validate", ["--strict", "--no-warn", file.path()])
            #expect(result.status == 0, "\(result)")
            // The generated name of the configuration is used where it is mounted.
            let name = try #require(built.output.firstMatch(of: /name: (presign-[a-z0-9]{10})/)).1
            #expect(built.output.components(separatedBy: "name: \(name)\n").count == 3)
        }
    }

    @Test(
        "Kubernetes: the overlay replaces the configuration of the base, as a copy of the folder too, and it is valid",
        .program("/usr/bin/kubectl", "neither Debian 12 nor PyPI has kustomize"),
        .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
    func overlayConfiguration() async throws {
        try await withTemporaryDirectory { folder in
            for (name, copy) in [("kubernetes", "kubernetes"), ("kubernetes-overlay", "kubernetes-mine")] {
                try FileManager.default.copyItem(
                    at: Deployment.file("config/\(name)"), to: folder.appending(path: copy))
            }
            let mine = folder.appending(path: "kubernetes-mine/presign.yaml")
            let text = try String(contentsOf: mine, encoding: .utf8)
            let hash = String(repeating: "0123456789abcdef", count: 4)
            let changed = text.replacing(String(repeating: "0", count: 64), with: hash)
                .replacing("acme-uploads", with: "my-own-bucket")
            try Data(changed.utf8).write(to: mine)
            let built = try await Command.run(
                "/usr/bin/kubectl", ["kustomize", folder.appending(path: "kubernetes-mine").path()])
            try #require(built.status == 0, "\(built.errors)")
            #expect(built.output.contains("bucket: my-own-bucket") && !built.output.contains("acme-media"))
            let served = built.output.split(separator: "\n", omittingEmptySubsequences: false)
                .drop { $0 != "  presign.yaml: |" }.dropFirst().prefix { $0.isEmpty || $0.hasPrefix("    ") }
            let file = folder.appending(path: "served.yaml")
            try Data(served.map { $0.dropFirst(4) + "\n" }.joined().utf8).write(to: file)
            let check = try await Command.run(try #require(PresignProcess.binary), ["check-config", file.path()])
            #expect(check.status == 0 && check.output.contains("bucket my-own-bucket"), "\(check)")
            #expect(!check.output.contains("warning: ") && !check.output.contains("note: "), "\(check)")
        }
    }

    @Test("Compose: the file matches the specification's schema", .validators)
    func compose() async throws {
        let file = Deployment.file("config/compose.yaml").path()
        let result = try await Deployment.validate(
            "check-jsonschema", ["--builtin-schema", "vendor.compose-spec", file])
        #expect(result.status == 0, "\(result)")
    }

    @Test("ECS and IAM: the API accepts the files, and their actions and resources exist", .validators)
    func aws() async throws {
        for (script, file) in [
            ("ecs", "ecs-task-definition.json"), ("iam", "iam-policy.json"),
            ("iam", "iam-policy-read.json"), ("iam", "iam-policy-write.json"),
        ] {
            let result = try await Deployment.script(script, [Deployment.file("config/\(file)").path()])
            #expect(result.status == 0, "\(result)")
        }
    }

    @Test("The API accepts the bucket's settings", .validators)
    func bucket() async throws {
        for (operation, member, file) in [
            ("PutBucketCors", "CORSConfiguration", "bucket-cors.json"),
            ("PutBucketLifecycleConfiguration", "LifecycleConfiguration", "bucket-lifecycle.json"),
        ] {
            let path = Deployment.file("config/\(file)").path()
            let result = try await Deployment.script("bucket", [operation, member, path])
            #expect(result.status == 0, "\(result)")
        }
    }

    @Test("Dockerfile: hadolint reports nothing", .validators)
    func dockerfile() async throws {
        let result = try await Deployment.validate(
            "hadolint", ["--failure-threshold", "style", Deployment.file("Dockerfile").path()])
        #expect(result.status == 0 && result.output.isEmpty, "\(result)")
    }

    @Test(
        "Package.resolved is ignored and not committed, because its commit ids can be those of a mirror",
        .enabled("needs a git clone") { FileManager.default.fileExists(atPath: Deployment.file(".git").path()) })
    func resolvedVersions() async throws {
        // Another user can own the clone, and the machine can ignore files of its own.
        let options = [
            "-C", Deployment.file("").path(), "-c", "safe.directory=*", "-c", "core.excludesFile=/dev/null",
        ]
        func git(_ arguments: String...) async throws -> Command.Result {
            try await Command.run("/usr/bin/git", options + arguments)
        }
        let tracked = try await git("ls-files", "Dockerfile", "*Package.resolved")
        #expect(tracked.status == 0 && tracked.output == "Dockerfile\n", "\(tracked)")
        for path in ["Package.resolved", "Tests/PresignClient/Package.resolved"] {
            let ignored = try await git("check-ignore", "--no-index", path)
            #expect(ignored.status == 0, "\(path): \(ignored)")
        }
    }

    @Test(
        "The embedded configurations are valid", .validators,
        .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
    func configurations() async throws {
        let hash = "sha256:" + String(repeating: "0123456789abcdef", count: 4)
        let compose = try await Deployment.script(
            "compose_config", [Deployment.file("config/compose.yaml").path(), hash])
        try #require(compose.status == 0 && compose.output.contains(hash), "\(compose)")
        #expect(compose.output.contains("perCaller") && compose.output.contains("perGuest"))
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "presign.yaml")
            try Data(compose.output.utf8).write(to: file)
            let kubernetes = Self.folders.map { Deployment.file($0 + "/presign.yaml").path() }
            for path in [file.path()] + kubernetes {
                let result = try await Command.run(try #require(PresignProcess.binary), ["check-config", path])
                let warnings = result.output.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
                #expect(result.status == 0 && warnings.allSatisfy { $0.contains("is a placeholder") }, "\(result)")
                // The Compose file has the hash that was inserted.
                #expect(warnings.count == (path == file.path() ? 0 : 1), "\(result)")
            }
        }
    }
}
