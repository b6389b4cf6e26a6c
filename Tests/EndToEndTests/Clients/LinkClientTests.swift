import Foundation
import Testing

/// Clients that only `Tests/run.sh --long` installs and runs.
@Suite(
    "Build caches, package clients and other clients of plain links", .realParts,
    .enabled(if: ProcessInfo.processInfo.environment["PRESIGN_E2E_LINKS"] != nil, "runs with Tests/run.sh --long"))
struct LinkClientTests {
    private static let kinds = StorageKind.present.filter { $0 != .swift }
    private static let checked = ["links": "true", "validateObjectExistence": "true"]
    private static let folder = ProcessInfo.processInfo.environment["PRESIGN_E2E_LINKS"] ?? ""

    /// Runs a script of `Tests/clients` with the packages of `PRESIGN_E2E_LINKS`.
    private static func python(_ name: String, _ arguments: [String], _ scenario: Scenario) async throws -> String {
        let run = try await Command.run(
            "\(folder)/bin/python", [Python.script(name)] + arguments,
            environment: ["PRESIGN_KEY": scenario.service.apiKey])
        #expect(run.status == 0, "\(name) \(arguments): \(run.output)\(run.errors)")
        return run.output
    }

    /// The link with another host name than the storage's: these clients keep passwords by name, whatever the port.
    private static func named(_ link: String) -> String { link.replacing("127.0.0.1", with: "localhost") }

    private static func file(of count: Int, in folder: URL) throws -> URL {
        let file = folder.appending(path: "file")
        try Data((0..<1 << 16).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: file)
        let handle = try FileHandle(forUpdating: file)
        try handle.truncate(atOffset: UInt64(count))
        try handle.close()
        return file
    }

    @Test("Python's HTTP clients upload and download", arguments: kinds, ["requests", "httpx", "aiohttp"])
    func python(kind: StorageKind, client: String) async throws {
        try await Scenario.run(on: kind, store: ["links": "true"]) { scenario in
            try await withTemporaryDirectory { folder in
                let file = try Self.file(of: 3_000_000, in: folder)
                let output = try await Self.python("link_clients", [client, scenario.link("f"), file.path()], scenario)
                #expect(output == "200 200\n")
            }
        }
    }

    @Test("300 MB with Expect cross the network once", arguments: kinds)
    func large(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: ["links": "true"]) { scenario in
            try await withTemporaryDirectory { folder in
                let file = try Self.file(of: 300_000_000, in: folder)
                let sent = try await scenario.curl(["-T", file.path(), scenario.link("large")], timeout: 600)
                #expect(sent == "200 300000000")
            }
        }
    }

    @Test("curl and requests behind nginx", arguments: kinds, [ReverseProxy.nginx, .nginxUnbuffered])
    func nginx(kind: StorageKind, proxy: ReverseProxy) async throws {
        try await Scenario.run(on: kind, store: ["links": "true"]) { scenario in
            try await proxy.run(before: scenario.service) { address in
                let link = scenario.link("n").replacing(scenario.service.address, with: address)
                try await withTemporaryDirectory { folder in
                    let file = try Self.file(of: 3_000_000, in: folder)
                    for options in [[], ["-H", "Expect:"]] {
                        let sent = try await scenario.curl(["-T", file.path()] + options + [link])
                        #expect(sent.hasPrefix("200 "), "\(options): \(sent)")
                    }
                    let output = try await Self.python("link_clients", ["requests", link, file.path()], scenario)
                    #expect(output == "200 200\n")
                }
            }
        }
    }

    @Test("wget downloads and uploads with a password that presign asks for", arguments: kinds)
    func wget(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: ["links": ["challenge": "basic"]]) { scenario in
            try await withTemporaryDirectory { folder in
                let (file, link) = (try Self.file(of: 100_000, in: folder), Self.named(scenario.link("w")))
                let standing = ["-q", "--user=any", "--password=\(scenario.service.apiKey)", "-O"]
                let put = ["--method=PUT", "--body-file=\(file.path())"]
                let copy = folder.appending(path: "copy")
                let sent = try await Command.run("/usr/bin/wget", standing + ["/dev/null"] + put + [link])
                #expect(sent.status == 0, "\(sent)")
                let got = try await Command.run("/usr/bin/wget", standing + [copy.path(), link])
                #expect(got.status == 0, "\(got)")
                #expect(try Data(contentsOf: copy) == Data(contentsOf: file))
                // If presign does not ask for the password, wget sends it on, which SeaweedFS ignores.
                let forwarded = try await Command.run(
                    "/usr/bin/wget", ["--auth-no-challenge"] + standing + ["/dev/null", link])
                #expect(forwarded.status == (kind == .local ? 8 : 0), "\(forwarded)")
            }
        }
    }

    @Test("nix copies a path to a cache and from there to an empty store", arguments: kinds)
    func nix(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: Self.checked) { scenario in
            try await withTemporaryDirectory { folder in
                let file = try Self.file(of: 3_000_000, in: folder)
                let netrc = folder.appending(path: "netrc")
                let login = "machine localhost login any password \(scenario.service.apiKey)\n"
                try Data(login.utf8).write(to: netrc)
                let options = ["--extra-experimental-features", "nix-command", "--option", "netrc-file", netrc.path()]
                let nix = { (arguments: [String]) in
                    let run = try await Command.run(
                        "/usr/bin/nix", options + arguments, environment: ["HOME": folder.path()])
                    #expect(run.status == 0, "\(arguments): \(run.errors)")
                    return run.output.trimmingCharacters(in: .newlines)
                }
                let link = Self.named(scenario.link("nix"))
                let stores = ["first", "second"].map { "local?root=\(folder.appending(path: $0).path())" }
                let path = try await nix(["store", "add-file", "--store", stores[0], file.path()])
                _ = try await nix(["copy", "--from", stores[0], "--to", link, path])
                _ = try await nix([
                    "copy", "--no-check-sigs", "--from", link, "--to", stores[1], path,
                ])
                let copy = folder.appending(path: "second" + path)
                #expect(try Data(contentsOf: copy) == Data(contentsOf: file), "\(path)")
            }
        }
    }

    @Test("Conan uploads a backup of a source once, and restores it without the origin", arguments: kinds)
    func conan(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: Self.checked) { scenario in
            try await withTemporaryDirectory { folder in
                let output = try await Self.python(
                    "conan_backup", ["\(Self.folder)/bin/conan", scenario.link("sources/"), folder.path()], scenario)
                #expect(output == "uploaded\nthe server has it\nrestored\n")
            }
        }
    }
}
