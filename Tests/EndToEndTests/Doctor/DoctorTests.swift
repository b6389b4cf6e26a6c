import Foundation
import SocketTestSupport
import TestSupport
import Testing

@Suite("doctor on servers that verify signatures", .realParts)
struct DoctorTests {
    /// What the servers do not enforce. The rules of the scenario rely on none of it.
    private static func lapses(of kind: StorageKind) -> Set<String> {
        switch kind {
        case .seaweedfs: ["total-size", "list-buckets", "bucket-policy", "other-keys"]
        case .swift:
            ["form", "checksum-in-query", "total-size", "preflight", "exposed-etag", "list-buckets", "other-keys"]
        case .local: ["checksum-in-query", "preflight", "exposed-etag", "list-buckets", "other-keys"]
        }
    }

    /// A row of the guide's table, as `Tests/storage/doctor-table.py` wrote it.
    private struct TableRow: Decodable {
        let storage: String
        let results: [String: String]

        static func of(_ kind: StorageKind) throws -> TableRow {
            let name =
                switch kind {
                case .seaweedfs: "SeaweedFS"
                case .swift: "OpenStack Swift (`s3api`)"
                case .local: "local storage"
                }
            let data = try Data(contentsOf: Deployment.file("Tests/storage/doctor.json"))
            return try #require(try JSONDecoder().decode([TableRow].self, from: data).first { $0.storage == name })
        }
    }

    @Test(
        "CORS is checked for the addresses of the upload page too: those of --origin, or shares.url",
        arguments: [
            ([], nil, []), (["http://127.0.0.1:8080"], nil, ["http://127.0.0.1:8080"]),
            ([], "https://files.example", ["https://files.example"]),
            (["https://page.example"], "https://files.example", ["https://page.example"]),
            (["https://app.example"], nil, []),
        ] as [([String], String?, [String])])
    func pageOrigins(options: [String], shares: String?, added: [String]) async throws {
        try await DoctorScenario.run(on: .local) { scenario in
            if let shares {
                let text = try String(contentsOf: scenario.configuration, encoding: .utf8)
                try Data("\(text)shares: {url: \"\(shares)\", keys: [{id: a, file: b}]}\n".utf8).write(
                    to: scenario.configuration)
            }
            let findings = try await scenario.allFindings(
                status: 3, options.flatMap { ["--origin", $0] } + ["--read-only"])
            for check in ["preflight", "exposed-etag"] {
                let origins = findings.filter { $0.check == check }.map(\.origin)
                #expect(origins == ["https://app.example"] + added, "\(check)")
            }
            let usage = try await scenario.doctor(["--origin", "https://files.example/"])
            #expect(usage.status == 64 && usage.errors.contains("--origin: an origin is"), "\(usage)")
        }
    }

    @Test("Every limit holds, and nothing is left", arguments: StorageKind.present)
    func strict(kind: StorageKind) async throws {
        try await DoctorScenario.run(on: kind) { scenario in
            let findings = try await scenario.findings(status: 0)
            let lapses = findings.values.filter { $0.result == "not enforced" }.map(\.check)
            #expect(Set(lapses) == Self.lapses(of: kind))
            let impossible = findings.values.filter { $0.result == "not possible" }.map(\.check)
            #expect(Set(impossible) == (kind == .swift ? ["form-size", "form-field"] : []), "\(findings.values)")
            #expect(findings.count >= 30)
            for (check, result) in try TableRow.of(kind).results {
                #expect(findings[check]?.result == result, "doctor.json differs in \(check)")
            }
            #expect(try await kind.server.keys(under: scenario.prefix).isEmpty)
        }
    }

    @Test("Without writing, signatures are checked all the same", arguments: StorageKind.atLeast(.local))
    func readOnly(kind: StorageKind) async throws {
        try await DoctorScenario.run(on: kind) { scenario in
            let findings = try await scenario.findings(status: 3, ["--read-only"])
            for check in ["signature", "method", "key", "query", "expiry", "missing-object"] {
                #expect(findings[check]?.result == "enforced", "\(check)")
            }
            for check in ["put", "delete", "create-only", "part-size"] {
                let finding = try #require(findings[check])
                #expect(finding.result == "not possible", "\(finding)")
                #expect(finding.reliedOnBy.first?.line == DoctorScenario.strictLine, "\(finding)")
            }
            let text = try await scenario.doctor(["--read-only"])
            #expect(text.status == 3 && text.errors.contains("not checked, although rules rely on it: "), "\(text)")
        }
    }

    @Test("The next run removes what a killed one left, and nothing else", arguments: StorageKind.present)
    func leftovers(kind: StorageKind) async throws {
        try await DoctorScenario.run(on: kind) { scenario in
            let run = "doctor-20260101T000000Z-00112233445566778899aabbccddeeff"
            let content = "presign doctor test object, safe to delete\n\(run)\ncontent 1\n"
            let kept = [("\(run)/target", "a user's file"), ("readme", content), ("\(run)/object.txt", content)]
            for (name, text) in kept + [("\(run)/object", content)] {
                #expect(try await scenario.send("PUT", name, text).status == 200)
            }
            // The local storage does not list uploads.
            let names = kind == .local ? ["object"] : ["object", "multipart"]
            if kind != .local { #expect(try await scenario.send("POST", "\(run)/multipart", "").status == 200) }
            let result = try await scenario.doctor()
            #expect(result.status == 0, "\(result)")
            let removed = result.errors.split(separator: "\n").filter { $0.contains("removed") }.map(String.init)
            #expect(
                removed
                    == names.map { "presign: removed \(scenario.prefix)\(run)/\($0), which an earlier run had left" })
            let keys = try await kind.server.keys(under: scenario.prefix)
            #expect(Set(keys) == Set(kept.map { scenario.prefix + $0.0 }))
        }
    }

    @Test("check-config points to it, and it says what to declare", arguments: StorageKind.atLeast(.seaweedfs))
    func declaration(kind: StorageKind) async throws {
        try await DoctorScenario.run(on: kind) { scenario in
            let check = try await Command.run(
                try #require(PresignProcess.binary), ["check-config", scenario.configuration.path()])
            #expect(check.output.contains("presign doctor --config \(scenario.configuration.path())"))
            let result = try await scenario.doctor()
            #expect(result.output.hasSuffix("can declare what was found: unsignedHeaders: refused, uploadIds: bound\n"))
        }
    }
}

@Suite(
    "doctor on SeaweedFS", .realParts,
    .enabled(if: StorageKind.present.contains(.seaweedfs), "needs PRESIGN_E2E_SEAWEEDFS; Tests/run.sh sets it"))
struct SeaweedFSDoctorTests {
    @Test("A bucket with versions has none left, nor delete markers")
    func versions() async throws {
        let server = try StorageKind.seaweedfs.server
        let bucket = "doctor-\(UUID().uuidString.lowercased())"
        try await server.run("s3_request.py", ["make-bucket", bucket])
        try await server.run("s3_request.py", ["keep-versions", bucket])
        try await DoctorScenario.run(on: .seaweedfs, bucket: bucket) { scenario in
            #expect(try await scenario.send("PUT", "kept", "a user's file").status == 200)
            _ = try await scenario.findings(status: 0)
            let keys = try await server.run("s3_request.py", ["list-versions", bucket])
            #expect(try JSONDecoder().decode([String].self, from: Data(keys.utf8)) == ["\(scenario.prefix)kept"])
        }
    }

    @Test("Temporary credentials work, and their life is unknown without an expiration")
    func session() async throws {
        let credentials = try StorageKind.seaweedfs.server.sessionCredentials
        try await DoctorScenario.run(on: .seaweedfs, environment: credentials) { scenario in
            let finding = try #require(try await scenario.findings(status: 0)["session"])
            #expect(finding.result == "not possible", "\(finding)")
        }
        let expiring = credentials.merging(["AWS_CREDENTIAL_EXPIRATION": "2100-01-01T00:00:00Z"]) { $1 }
        try await DoctorScenario.run(on: .seaweedfs, environment: expiring) { scenario in
            let finding = try #require(try await scenario.findings(status: 0)["session"])
            #expect(finding.result == "enforced" && finding.detail.contains("2100-01-01T00:00:00Z"), "\(finding)")
        }
    }
}

@Suite("doctor on lax servers", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct LaxDoctorTests {
    private static let server = ProcessInfo.processInfo.environment["PRESIGN_E2E_MOTO"]
    private static let secret = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret"]

    @Test("moto verifies nothing", .enabled(if: server != nil, "needs PRESIGN_E2E_MOTO; Tests/run.sh sets it"))
    func moto() async throws {
        let port = try FreePort.next()
        let endpoint = "http://127.0.0.1:\(port)"
        _ = try await BackgroundProgram.run(
            try #require(Self.server), ["-H", "127.0.0.1", "-p", "\(port)"], environment: ["NO_COLOR": "1"],
            awaited: false
        ) { server in
            try await server.listens(on: port)
            try #require(try await HTTP.send("PUT", "\(endpoint)/test").status == 200)
            let store = ["bucket": "test", "region": "us-east-1", "endpoint": endpoint]
            try await DoctorScenario.run(store: store, environment: Self.secret) { scenario in
                let findings = try await scenario.findings(status: 1)
                let works = ["put", "get", "head", "delete", "listing", "multipart"]
                for check in works { #expect(findings[check]?.result == "enforced", "\(check)") }
                let verified = [
                    "signature", "method", "key", "query", "expiry", "content-type", "size", "checksum", "create-only",
                    "part-size", "part-checksum", "complete-create-only", "upload-id", "x-amz-copy-source",
                    "part-copy-source", "x-amz-acl", "x-amz-meta", "x-amz-tagging",
                ]
                for check in verified {
                    let finding = try #require(findings[check])
                    #expect(finding.result == "not enforced", "\(finding)")
                    #expect(finding.reliedOnBy.first?.line == DoctorScenario.strictLine, "\(finding)")
                }
                let text = try await scenario.doctor()
                #expect(text.status == 1 && text.output.contains("remedy: set `credentials: {read: ..., write: ...}`"))
                #expect(!text.output.contains("can declare"))
            }
        }
    }

    private static let actions = [
        "s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts",
    ]

    @Test("A server that verifies signatures and honours unsigned headers")
    func honouring() async throws {
        try await HonouringStorage.run(keys: ["AKID": ("secret", Self.actions)]) { endpoint in
            let store = ["bucket": "bucket", "region": "us-east-1", "endpoint": endpoint]
            try await DoctorScenario.run(store: store, environment: Self.secret) { scenario in
                let findings = try await scenario.findings(status: 1)
                let relied = findings.values.filter { !$0.reliedOnBy.isEmpty }.map(\.check)
                #expect(
                    Set(relied) == [
                        "expiry", "checksum", "create-only", "part-checksum", "complete-create-only", "upload-id",
                        "x-amz-copy-source", "part-copy-source", "x-amz-acl",
                    ])
                for check in ["signature", "method", "key", "query", "content-type", "size", "part-size"] {
                    #expect(findings[check]?.result == "enforced", "\(check)")
                }
            }
        }
    }

    @Test("Ctrl-C removes everything", arguments: [SIGINT, SIGTERM, SIGHUP])
    func interruption(signal: Int32) async throws {
        try await HonouringStorage.run(keys: ["AKID": ("secret", Self.actions)], delay: 0.05) { endpoint in
            let store = ["bucket": "bucket", "region": "us-east-1", "endpoint": endpoint]
            try await DoctorScenario.run(store: store, environment: Self.secret) { scenario in
                let result = try await BackgroundProgram.run(
                    try #require(PresignProcess.binary), scenario.arguments, environment: Self.secret, awaited: true
                ) { program in
                    try #require(try await eventually { try program.printed.contains("enforced      put ") })
                    kill(program.process.processIdentifier, signal)
                }
                #expect(result.status == 1 && result.errors.contains("the run was interrupted"), "\(result)")
                #expect(!result.errors.contains("not removed"))
                #expect(!result.output.contains("other-keys"), "the run ended before the signal")
                #expect(try await HTTP.send("GET", "\(endpoint)/objects").text == "[]")
            }
        }
    }

    @Test("Usage errors and a storage that does not respond")
    func errors() async throws {
        let store = ["bucket": "test", "region": "us-east-1", "endpoint": "http://127.0.0.1:1"]
        try await DoctorScenario.run(store: store, environment: Self.secret) { scenario in
            let down = try await scenario.doctor()
            #expect(down.status == 1 && down.errors.hasSuffix("cannot connect: Connection refused\n"), "\(down)")
            let unknown = try await scenario.doctor(["--store", "x"])
            #expect(unknown.status == 64 && unknown.errors.contains("its stores are main"), "\(unknown)")
            for prefix in ["", "a", "/", "a//", "../"] {
                #expect(try await scenario.doctor(["--prefix", prefix]).status == 64, "\(prefix)")
            }
        }
    }
}
