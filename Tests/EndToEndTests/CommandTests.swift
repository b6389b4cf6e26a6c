import Foundation
import Testing

@Suite("The command against real storage", .enabled(if: StorageServer.isAvailable, "start it by Tests/run.sh"))
struct CommandTests {
    private func presign(
        _ server: StorageServer, _ arguments: [String], input: String = "", in folder: URL? = nil
    ) throws -> Subprocess {
        try Subprocess(
            try #require(PresignProcess.binary), arguments,
            environment: server.credentials, input: input, in: folder)
    }

    private func place(_ server: StorageServer) -> [String] {
        ["--bucket", server.bucket, "--region", "us-east-1", "--endpoint", server.endpoint]
    }

    @Test("the printed curl commands upload and download the file", arguments: StorageServer.all)
    func curlOutput(server: StorageServer) throws {
        let folder = try TemporaryFolder()
        let name = "it's a file.txt"
        _ = try folder.file(name, Data("by command".utf8))
        let options = ["--output", "curl"] + place(server)
        let upload = try presign(server, ["url", "PUT", "command/\(name)", "--content-type", "text/plain"] + options)
        let uploaded = try Subprocess("/bin/sh", ["-c", upload.text], in: folder.url)
        #expect(upload.status == 0 && uploaded.status == 0, "\(uploaded.text)")
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
        let download = try presign(server, ["url", "command/\(name)"] + options)
        #expect(try Subprocess("/bin/sh", ["-c", download.text], in: folder.url).status == 0)
        #expect(try Data(contentsOf: folder.url.appendingPathComponent(name)) == Data("by command".utf8))
    }

    @Test("a batch signs each line, and names what is wrong with one", arguments: StorageServer.all)
    func batch(server: StorageServer) throws {
        let lines = """
            {"id":1,"method":"PUT","key":"batch/1"}
            {"id":"two","key":"batch/1","expiresin":5}

            not JSON
            {"id":4,"key":"batch/1","expiresIn":"15m"}
            """
        let run = try presign(server, ["url", "--batch"] + place(server), input: lines)
        #expect(run.status == 0)
        let answers = try run.lines.map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
        #expect(answers.count == 4)
        let url = try #require(answers.first?["url"] as? String)
        #expect(try Curl.upload(Data([1]), to: url).status == 200)
        #expect((answers[1]["error"] as? String)?.contains("expiresIn") == true && answers[1]["id"] as? String == "two")
        #expect(answers[2]["error"] != nil && answers[3]["error"] != nil && answers[3]["id"] as? Int == 4)
    }

    @Test("the health check asks the running service", arguments: StorageServer.all)
    func healthCheck(server: StorageServer) throws {
        let service = try PresignProcess(server)
        #expect(try presign(server, ["healthcheck", "--address", service.address]).status == 0)
        #expect(service.stop() == 0)
        #expect(try presign(server, ["healthcheck", "--address", service.address]).status == 1)
    }

    @Test("one clear line and the right exit code when a start fails", arguments: StorageServer.all)
    func failures(server: StorageServer) throws {
        let folder = try TemporaryFolder()
        let broken = try folder.file("broken.yaml", Data("version: 1\nstores: {a: {bucket: b, regon: x}}\n".utf8))
        let run = try presign(server, ["serve", "--config", broken])
        #expect(run.status == 78)
        #expect(run.error.split(separator: "\n").count == 1)
        #expect(run.error.contains("broken.yaml:2:25: unknown key"))
        #expect(try presign(server, ["serve"]).status == 64)
        #expect(try presign(server, ["serve", "--config", folder.url.path + "/absent"]).status == 78)
    }
}
