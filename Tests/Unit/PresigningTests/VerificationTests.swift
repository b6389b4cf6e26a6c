import Cryptography
import Presigning
import Testing

/// A signed vector as it reaches a server, to be changed part by part.
struct ReceivedVector {
    var method: String
    var host: String
    var target: [UInt8]
    var headers: [(name: String, value: String)]
    var secret: String
    var time: SigningTime

    init(_ vector: Vector) throws {
        var presigner = Presigner()
        let url = try vector.taskFromWire().url(with: vector.signer(), at: vector.time(), using: &presigner)
        method = url.method
        host = try vector.s3Endpoint().host
        let slashes = url.bytes.indices.filter { url.bytes[$0] == 0x2f }
        target = Array(url.bytes[slashes[2]...])
        headers = url.headers.map { (name: $0.name, value: $0.value) }
        secret = vector.credentials.secretAccessKey
        time = try vector.time()
    }

    func verify() -> PresignedURLVerification {
        let request = PresignedURLVerifier.Request(method: method, host: host, target: target, headers: headers)
        let key = SecretBytes(Array(secret.utf8))
        return PresignedURLVerifier().verify(request, at: time) { _ in key }
    }

    /// The index of the query.
    var mark: Int { target.firstIndex(of: 0x3f) ?? target.count }

    mutating func replace(_ text: String, with other: String) throws {
        let wanted = Array(text.utf8)
        let start = try #require(
            target.indices.first { target[$0...].starts(with: wanted) }, "\(text) is not in the target")
        target.replaceSubrange(start..<(start + wanted.count), with: Array(other.utf8))
    }
}

@Suite struct VerificationTests {
    @Test(arguments: Vector.all)
    func acceptsItsOwnURLs(_ vector: Vector) throws {
        var received = try ReceivedVector(vector)
        #expect(received.verify() == .valid)
        received.time = try vector.time().advanced(bySeconds: vector.expiresIn)
        #expect(received.verify() == .valid, "the last second")
        received.time = received.time.advanced(bySeconds: 1)
        #expect(received.verify() == .expired)
        received.time = try vector.time().advanced(bySeconds: -900)
        #expect(received.verify() == .valid)
        received.time = received.time.advanced(bySeconds: -1)
        #expect(received.verify() == .notYetValid)
    }

    @Test(arguments: Vector.all)
    func rejectsEveryChange(_ vector: Vector) throws {
        let genuine = try ReceivedVector(vector)
        var changed: [String: ReceivedVector] = [:]
        changed["method"] = genuine
        changed["method"]?.method = "PATCH"
        changed["host"] = genuine
        changed["host"]?.host = "evil." + genuine.host
        changed["secret"] = genuine
        changed["secret"]?.secret += "x"
        changed["path"] = genuine
        changed["path"]?.target.insert(0x78, at: genuine.mark)
        changed["added parameter"] = genuine
        changed["added parameter"]?.target += Array("&versionId=1".utf8)
        changed["added header"] = genuine
        changed["added header"]?.headers.append((name: "X-Amz-Meta-Smuggled", value: "1"))
        changed["expiry"] = genuine
        try changed["expiry"]?.replace("X-Amz-Expires=\(vector.expiresIn)&", with: "X-Amz-Expires=604797&")
        for index in genuine.headers.indices {
            changed["changed \(genuine.headers[index].name)"] = genuine
            changed["changed \(genuine.headers[index].name)"]?.headers[index].value += "x"
            changed["no \(genuine.headers[index].name)"] = genuine
            changed["no \(genuine.headers[index].name)"]?.headers.remove(at: index)
        }
        for (part, received) in changed {
            guard case .tampered = received.verify() else {
                Issue.record("\(part): \(received.verify())")
                continue
            }
        }
    }

    @Test(arguments: ["pub-0001-doc-example", "pub-0309-extra-headers-get", "pub-0295-multipart-create"])
    func rejectsEveryFlippedByteOfTheTarget(_ id: String) throws {
        let genuine = try ReceivedVector(#require(Vector.all.first { $0.id == id }))
        for index in genuine.target.indices {
            var received = genuine
            received.target[index] ^= 1
            #expect(received.verify() != .valid, "byte \(index)")
        }
    }
}
