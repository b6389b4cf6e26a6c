import SocketTestSupport
import TestSupport
import Testing

@testable import HTTP1
@testable import HTTPServer
@testable import LocalStorage
@testable import Presigning

/// Requests that are not complete, with what they make the storage hold.
@Suite("Memory of incomplete requests to the local storage")
struct BufferTests {
    private static let limit = 256 * 1024

    enum Kind: CaseIterable { case completion, deletion, form, uploadWithLargeHead, deletionWithLargeHead }

    /// What a client sends of a request at first, and later.
    private struct Message {
        var first: String
        var rest: String
        /// The bytes that the storage holds at least after the first part.
        var held: Int
    }

    private static func message(_ kind: Kind, _ live: LiveStore) throws -> Message {
        let host = "127.0.0.1:\(live.port)"
        let (space, cookie) = (String(repeating: " ", count: 10_000), String(repeating: "c", count: 12_000))
        switch kind {
        case .completion:
            let created = try live.exchange(.createMultipartUpload, "key", body: [])
            let id = try #require(created.element("UploadId"))
            let target = try live.target(.completeMultipartUpload(uploadId: id), "key")
            let rest = space + "</CompleteMultipartUpload>"
            let first = "<CompleteMultipartUpload>" + space
            let length = first.utf8.count + rest.utf8.count
            let head = "POST \(target) HTTP/1.1\r\nHost: \(host)\r\nContent-Length: \(length)\r\n\r\n"
            return Message(first: head + first, rest: rest, held: 10_000)
        case .deletion:
            let (headers, _) = live.signer.headers(
                "POST", "/local", query: "delete=", host: host, payload: "UNSIGNED-PAYLOAD")
            let fields = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
            let (first, rest) = ("<Delete><Object><Key>a</Key></Object>" + space, space + "</Delete>")
            let length = first.utf8.count + rest.utf8.count
            let head = "POST /local?delete= HTTP/1.1\r\nHost: \(host)\r\nContent-Length: \(length)\r\n\(fields)\r\n"
            return Message(first: head + first, rest: rest, held: 10_000)
        case .form:
            let field = "--XyZ\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\(cookie)"
            let rest = "\r\n--XyZ--\r\n"
            let head = "POST /local HTTP/1.1\r\nHost: \(host)\r\nContent-Type: multipart/form-data; boundary=XyZ\r\n"
            let length = field.utf8.count + rest.utf8.count
            return Message(
                first: head + "Content-Length: \(length)\r\n\r\n" + field, rest: rest, held: 2 * cookie.utf8.count)
        case .uploadWithLargeHead:
            let target = try live.target(.putObject, "key")
            let head = "PUT \(target) HTTP/1.1\r\nHost: \(host)\r\nCookie: \(cookie)\r\nContent-Length: 2\r\n\r\n"
            return Message(first: head + "a", rest: "b", held: 2 * cookie.utf8.count)
        case .deletionWithLargeHead:
            let target = try live.target(.deleteObject, "key")
            let head = "DELETE \(target) HTTP/1.1\r\nHost: \(host)\r\nCookie: \(cookie)\r\n"
            return Message(
                first: head + "Content-Length: 2\r\n\r\na", rest: "b", held: 2 * cookie.utf8.count)
        }
    }

    @Test("They are charged to one budget, and return it however they end", arguments: Kind.allCases)
    func bounded(_ kind: Kind) throws {
        let live = try LiveStore(bufferedBytes: Self.limit)
        let message = try Self.message(kind, live)
        #expect(becomesTrue { live.buffers.used == 0 })
        var clients: [RawClient] = []
        // Until the budget has no room for one more, which is refused.
        while clients.count < 20, try clients.last?.hasInput != true {
            let (client, before) = (try RawClient(port: live.port), live.buffers.used)
            client.send(message.first)
            clients.append(client)
            // A charge can be higher for a moment, and `before` then is too high: so this wait has an end.
            _ = try becomesTrue(within: .seconds(2)) {
                try live.buffers.used >= before + message.held || client.hasInput
            }
        }
        #expect(clients.count > 2)
        #expect(becomesTrue { live.buffers.used >= (clients.count - 1) * message.held })
        #expect(live.buffers.used <= Self.limit - Self.limit / 4)
        let refused = try (0..<2).map { _ in
            let client = try RawClient(port: live.port)
            client.send(message.first)
            return try #require(try client.response())
        }
        #expect(refused.allSatisfy { $0.status == 503 && $0.code == "SlowDown" && $0["retry-after"] != nil })
        // One is cut, all but the first are closed, and then the first is completed.
        clients[1].finishSending()
        #expect(try clients[1].response()?.code == "IncompleteBody")
        clients.removeLast(clients.count - 1)
        #expect(becomesTrue { live.buffers.used < 2 * 4 * message.held })
        clients[0].send(message.rest)
        let completed = try clients[0].response()
        #expect(completed != nil && completed?.status != 503, "\(completed?.text ?? "")")
        clients = []
        #expect(becomesTrue { live.buffers.used == 0 }, "\(live.buffers.used)")
        let again = try RawClient(port: live.port)
        again.send(message.first + message.rest)
        #expect(try again.response()?.status == completed?.status)
        #expect(becomesTrue { live.buffers.used == 0 })
    }

    @Test("A complete document is charged until it has its response, with what is read from it")
    func complete() throws {
        let live = try LiveStore(bufferedBytes: Self.limit)
        let document = { (size: Int) in
            "<Delete>" + String(repeating: " ", count: size) + "<Object><Key>a</Key></Object></Delete>"
        }
        let request = LiveStore.Signed(
            method: "POST", path: "/local", query: "delete=", payload: "UNSIGNED-PAYLOAD", body: document(30_000))
        #expect(try live.send(request).status == 200)
        var large = request
        large.body = document(100_000)
        let refused = try live.send(large)
        #expect(refused.status == 503 && refused.code == "SlowDown")
        #expect(becomesTrue { live.buffers.used == 0 })
    }

    @Test("Requests of the usual size need no room in the budget")
    func small() throws {
        let live = try LiveStore(bufferedBytes: 0)
        #expect(try live.exchange(.putObject, "key", body: [1, 2, 3]).status == 200)
        #expect(try live.exchange(.getObject, "key").body == [1, 2, 3])
        let list = "<Delete><Object><Key>key</Key></Object></Delete>"
        let deleted = try live.send(.init(method: "POST", path: "/local", query: "delete=", body: list))
        #expect(deleted.status == 200)
    }
}
