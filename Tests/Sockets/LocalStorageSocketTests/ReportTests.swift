import Dispatch
import Foundation
import SocketTestSupport
import TestSupport
import Testing

@testable import LocalStorage
@testable import Presigning

@Suite("Reports to the operator of the local storage")
struct ReportTests {
    private let live: LiveStore

    init() throws {
        live = try LiveStore()
    }

    @Test("Every status of 500 or above is reported in one line without the query; other statuses are not")
    func failures() throws {
        #expect(try live.exchange(.putObject, "a/b\u{7}\n", body: [1]).status == 200)
        #expect(try live.exchange(.getObject, "missing").status == 404)
        #expect(try live.send("GET", "/local/key?X-Amz-Signature=0").status == 400)
        #expect(live.reported.isEmpty)
        for name in try live.directory.files(in: "/objects").keys {
            try live.directory.write([1], to: "objects/\(name)")
        }
        let damaged = try live.exchange(.getObject, "a/b\u{7}\n")
        #expect(damaged.status == 500)
        let refused = try live.exchange(.headObject, "key", query: [("acl", "")])
        #expect(refused.status == 501)
        let client = try RawClient(port: live.port)
        client.send(Array("GET /local/key?X-Amz-Signature=0 HTTP/3.0\r\nHost: a\r\n\r\n".utf8))
        #expect(try client.response()?.status == 505)
        let lines = live.reported
        try #require(lines.count == 3)
        let ids = [damaged, refused].map { $0["x-amz-request-id"] ?? "" }
        #expect(
            lines.first
                == "\(ids[0]) GET /local/a/b%07%0A 500 InternalError: The stored object is damaged and is not served. "
                + "Upload it again, or delete it.")
        #expect(lines[1].hasPrefix("\(ids[1]) HEAD /local/key 501 NotImplemented: "))
        #expect(lines[2].contains(" 505 InvalidRequest: "))
        for line in lines {
            for secret in ["X-Amz-", "?", live.store.credentials.accessKeyID] { #expect(!line.contains(secret)) }
        }
    }

    @Test("An overloaded store reports it and keeps reading")
    func busy() throws {
        #expect(try live.exchange(.putObject, "key", body: [1]).status == 200)
        // The upload's item may end after its response, which would make room in the queue.
        #expect(becomesTrue { live.store.work.load.running == 0 })
        let gate = DispatchSemaphore(value: 0)
        var count = 0
        while live.store.work.submit({ gate.wait() }) { count += 1 }
        defer {
            for _ in 0..<count { gate.signal() }
        }
        for response in [
            try live.exchange(.putObject, "key", body: [2]), try live.exchange(.deleteObject, "key"),
            try live.exchange(.createMultipartUpload, "key", body: []),
        ] {
            #expect(response.status == 503)
            #expect(response.code == "SlowDown")
            #expect(response.element("Message") == "Please reduce your request rate.")
            #expect(response["retry-after"] == "1")
        }
        #expect(live.reported.count == 3)
        #expect(try live.exchange(.getObject, "key").body == [1])
    }
}
