import Foundation
import Testing

@Suite(
    "Start without standard input, output and error",
    .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct ClosedDescriptorTests {
    private static let allClosed = "0<&- 1>&- 2>&-"

    @Test("The audit file contains only the audit", arguments: [allClosed, "1>&-", "2>&-"])
    func serve(_ closed: String) async throws {
        try await ConcurrencyLimit.tests.pass {
            try await withTemporaryDirectory { folder in
                let path = { (name: String) in folder.appending(path: name).path() }
                let configuration = """
                    version: 1
                    server: {listen: ["unix:\(path("socket"))"], loops: 1}
                    stores: {main: {bucket: acme-media, region: eu-west-1}}
                    auth: {guest: true}
                    audit: {to: \(path("audit")), hashKeys: true}
                    rules: [{path: "**", allow: {everyone: [read]}}]
                    """
                try Data(configuration.utf8).write(to: folder.appending(path: "presign.yaml"))
                let (process, exit) = try Command.start(
                    "/bin/sh",
                    [
                        "-c", #"exec "$0" serve --config "$1" \#(closed)"#, try #require(PresignProcess.binary),
                        path("presign.yaml"),
                    ],
                    environment: ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s3cret"],
                    output: folder.appending(path: "output"), errors: folder.appending(path: "errors"))
                // curl retries until the socket exists.
                let response = try await Command.run(
                    "/usr/bin/curl",
                    [
                        "-q", "-sS", "--unix-socket", path("socket"), "--retry", "200", "--retry-all-errors",
                        "--retry-delay", "0", "--retry-max-time", "20", "-d", "path=secret-name", "-w", "%{http_code}",
                        "-o", "/dev/null", "http://localhost/presign",
                    ])
                process.terminate()
                #expect(await exit.first { _ in true } == 0)
                #expect(response.output == "200", "\(response)")
                let lines = try Data(contentsOf: folder.appending(path: "audit")).split(separator: 0x0A)
                #expect(lines.count == 1)
                for line in lines {
                    let text = String(decoding: line, as: UTF8.self)
                    #expect(text.contains("\"configRevision\"") && !text.contains("secret-name"), "\(text)")
                }
            }
        }
    }

    @Test(
        "Every command runs",
        arguments: ["url cat.jpg --bucket acme --region eu-west-1", "key new web", "--help", "url --batch"])
    func commands(_ words: String) async throws {
        let run = try await Command.run(
            "/bin/sh", ["-c", "exec \"$0\" \(words) \(Self.allClosed)", try #require(PresignProcess.binary)],
            environment: ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s3cret"])
        #expect(run.status == 0)
    }
}
