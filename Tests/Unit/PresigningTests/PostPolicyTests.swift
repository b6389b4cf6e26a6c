import Cryptography
import Foundation
import Testing

@testable import Presigning

/// One line of `Vectors/forms.jsonl`: a form as botocore's `generate_presigned_post` signs it.
struct FormVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Expected: Decodable, Sendable {
        let url: String
        let fields: [String: String]
    }

    let id: String, date: String, bucket: String, region: String, endpoint: String?, addressing: String
    let accelerate: Bool, dualstack: Bool, key: String, fields: [String: String], contentLength: [Int64]
    let expiresIn: Int
    let credentials: Vector.Keys
    let expected: Expected

    var testDescription: String { id }

    static let all: [FormVector] = Vector.load("forms")

    func form() throws -> PresignedForm {
        guard let style = S3EndpointOptions.Addressing(rawValue: addressing), let time = SigningTime(rfc3339: date)
        else {
            throw Unusable(what: id)
        }
        let options = S3EndpointOptions(
            bucket: bucket, region: region, endpoint: endpoint, addressing: style, accelerate: accelerate,
            dualstack: dualstack)
        let policy = PostPolicy(
            key: .fromString(key), in: try S3Bucket(options), expiresIn: expiresIn,
            contentLength: contentLength[0]...contentLength[1], fields: fields.map { (name: $0, value: $1) })
        let keys = try Credentials(
            accessKeyID: credentials.accessKeyId, secretAccessKey: credentials.secretAccessKey,
            sessionToken: credentials.sessionToken)
        var presigner = Presigner()
        return try policy.form(with: keys, at: time, using: &presigner)
    }
}

/// A policy document whose conditions are comparable: each as an array of texts.
private struct PolicyDocument: Equatable {
    let expiration: String
    let conditions: Set<[String]>

    init(_ base64: String?) throws {
        let data = try #require(base64.flatMap { Data(base64Encoded: $0) })
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        expiration = try #require(object["expiration"] as? String)
        conditions = Set(
            try #require(object["conditions"] as? [Any]).map { condition in
                if let pair = (condition as? [String: String])?.first { return ["eq", "$" + pair.key, pair.value] }
                return try #require(condition as? [Any]).map { "\($0)" }
            })
    }
}

@Suite("POST policies") struct PostPolicyTests {
    @Test func readsAllVectors() { #expect(FormVector.all.count == 16) }

    @Test("URL, fields and conditions are those of botocore", arguments: FormVector.all)
    func matches(_ vector: FormVector) throws {
        let form = try vector.form()
        var fields = Dictionary(form.fields.map { ($0.name, $0.value) }) { first, _ in first }
        var expected = vector.expected.fields
        #expect(try PolicyDocument(fields.removeValue(forKey: "policy")) == PolicyDocument(expected["policy"]))
        expected["policy"] = nil
        #expect(fields.removeValue(forKey: "x-amz-signature") != nil)
        expected["x-amz-signature"] = nil
        #expect(fields == expected && form.fields.count == expected.count + 2)
        #expect(form.action.text == vector.expected.url && form.action.method == "POST")
    }

    @Test("Botocore's signature of its policy is valid, and so is the form's", arguments: FormVector.all)
    func signatures(_ vector: FormVector) throws {
        let time = try #require(SigningTime(rfc3339: vector.date))
        let keys = try Credentials(accessKeyID: "any", secretAccessKey: vector.credentials.secretAccessKey)
        let own = Dictionary(try vector.form().fields.map { ($0.name, $0.value) }) { first, _ in first }
        for var fields in [vector.expected.fields, own] {
            func verification(_ region: String? = vector.region) -> PresignedURLVerification {
                do throws(PresignedURLParseFailure) {
                    let received = try ReceivedSignature(form: { fields[$0].map { Array($0.utf8) } })
                    return PresignedURLVerifier(region: region).verify(received, at: time) {
                        $0.elementsEqual(vector.credentials.accessKeyId.utf8) ? keys.secretAccessKey : nil
                    }
                } catch {
                    return error.verification
                }
            }
            #expect(verification() == .valid)
            #expect(verification("us-west-2") == .tampered(.scope))
            let policy = fields.updateValue("e30=", forKey: "policy")
            #expect(verification() == .tampered(.signature))
            fields["policy"] = policy
            for name in ["policy", "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-signature"] {
                let value = fields.removeValue(forKey: name)
                #expect(verification() == .missing(parameter: name))
                fields[name] = value
            }
        }
    }

    private static func policy(
        key: StoragePath = "a.png", expiresIn: Int = 60, contentLength: ClosedRange<Int64> = 0...10,
        fields: [(name: String, value: String)] = []
    ) throws -> PostPolicy {
        PostPolicy(
            key: key, in: try Fixture.bucket(), expiresIn: expiresIn, contentLength: contentLength, fields: fields)
    }

    private static func refusedField(_ policy: PostPolicy) throws -> String? {
        var presigner = Presigner()
        let credentials = try Fixture.credentials()
        do throws(StorageError) {
            _ = try policy.form(with: credentials, at: Fixture.time, using: &presigner)
            return nil
        } catch {
            guard case .validation(let field, _, _) = error else { return "\(error)" }
            return field
        }
    }

    @Test("It refuses what a storage would replace, ignore or not understand")
    func refusals() throws {
        #expect(try Self.refusedField(Self.policy()) == nil)
        #expect(try Self.refusedField(Self.policy(key: "")) == "path")
        #expect(try Self.refusedField(Self.policy(key: "a/${filename}")) == "path")
        #expect(try Self.refusedField(Self.policy(key: StoragePath(bytes: [0xff]))) == "path")
        #expect(try Self.refusedField(Self.policy(expiresIn: 0)) == "expiresIn")
        #expect(try Self.refusedField(Self.policy(expiresIn: 604_801)) == "expiresIn")
        #expect(try Self.refusedField(Self.policy(contentLength: -1...5)) == "contentLength")
        for (name, value) in [
            ("Key", "b"), ("file", "x"), ("POLICY", "x"), ("X-Amz-Signature", "x"), ("x-amz-security-token", "x"),
            ("bucket", "b"), ("x-amz-meta-a", "${filename}"), ("x-amz-meta-a", "a\nb"),
        ] {
            #expect(try Self.refusedField(Self.policy(fields: [(name, value)])) == "fields.\(name)", "\(name)")
        }
        #expect(try Self.refusedField(Self.policy(fields: [("x-ignore-a", "1")])) == "fields")
        #expect(try Self.refusedField(Self.policy(fields: [("a b", "1")])) == "fields")
        #expect(try Self.refusedField(Self.policy(fields: [("A", "1"), ("a", "1")])) == "fields.a")
    }

    @Test("The form expires with the credentials, and a description shows no signature")
    func lifetime() throws {
        var presigner = Presigner()
        let credentials = try Fixture.credentials(token: "token", secondsLeft: 30)
        let form = try Self.policy().form(with: credentials, at: Fixture.time, using: &presigner)
        #expect(form.action.expiresIn == 30 && form.action.limitedBy == .credentials)
        let document = try PolicyDocument(form.fields.first { $0.name == "policy" }?.value)
        #expect(document.expiration == Fixture.time.advanced(bySeconds: 30).rfc3339Text)
        let signature = try #require(form.fields.last?.value)
        var dumped = ""
        dump(form, to: &dumped)
        #expect(signature.count == 64 && !"\(form)\(form.debugDescription)\(dumped)".contains(signature))
        let expired = try Fixture.credentials(token: "token", secondsLeft: 0)
        #expect(throws: StorageError.self) {
            try Self.policy().form(with: expired, at: Fixture.time, using: &presigner)
        }
    }

    @Test("The life of a signature is limited on both sides")
    func signingTimes() throws {
        var presigner = Presigner()
        let credentials = try Fixture.credentials()
        let form = try Self.policy(expiresIn: 604_800).form(with: credentials, at: Fixture.time, using: &presigner)
        for (offset, expected) in [
            (-901, PresignedURLVerification.notYetValid), (-900, .valid), (604_800, .valid), (604_801, .expired),
        ] {
            let received = try ReceivedSignature(form: { name in
                form.fields.first { $0.name == name }.map { Array($0.value.utf8) }
            })
            let result = PresignedURLVerifier().verify(received, at: Fixture.time.advanced(bySeconds: offset)) { _ in
                credentials.secretAccessKey
            }
            #expect(result == expected, "\(offset)")
        }
    }
}
