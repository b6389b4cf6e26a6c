import Foundation
import Requests
import TestSupport
import Testing

@testable import DataFormats
@testable import PresignService
@testable import Presigning

/// Botocore's signatures of S3's parameters, requested through the fields of `POST /presign`.
@Suite("Fields against the signing vectors")
struct FieldVectorTests {
    /// The field for each parameter of S3; a parameter without a field is not requestable.
    private static let fields = [
        "CacheControl": "cacheControl", "ContentDisposition": "contentDisposition", "ContentLength": "contentLength",
        "Metadata": "metadata", "ServerSideEncryption": "serverSideEncryption", "StorageClass": "storageClass",
        "ResponseCacheControl": "responseCacheControl", "ResponseContentDisposition": "responseContentDisposition",
        "ResponseContentEncoding": "responseContentEncoding", "ResponseContentLanguage": "responseContentLanguage",
        "ResponseContentType": "responseContentType", "ResponseExpires": "responseExpires", "VersionId": "versionId",
    ]

    /// The vector whose response header is not ASCII: botocore signs it, and S3 refuses it.
    private static let notASCII = "pub-0333-extra-query"

    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let line: Data
        var testDescription: String { id }
        func members() throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
        }
    }

    static let cases: [Case] = {
        let text = (try? Repository.text(of: "Tests/Unit/PresigningTests/Vectors/public.jsonl")) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let data = Data(line.utf8)
            guard let vector = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
                let extra = vector["extra"] as? [String: Any], !extra.isEmpty,
                extra.keys.allSatisfy({ fields[$0] != nil }), let tags = vector["tags"] as? [String],
                !tags.contains("quirk"), let id = vector["id"] as? String
            else { return nil }
            return Case(id: id, line: data)
        }
    }()

    @Test("The vectors contain settings of uploads, versions and response overrides")
    func found() throws {
        let names = try Self.cases.flatMap { Array(try #require(try $0.members()["extra"] as? [String: Any]).keys) }
        #expect(Set(names).isSuperset(of: ["Metadata", "StorageClass", "ServerSideEncryption", "VersionId"]))
        #expect(Self.cases.count >= 20)
    }

    @Test("The signature is the same", arguments: cases)
    func urls(_ vector: Case) throws {
        let members = try vector.members()
        let extra = try #require(members["extra"] as? [String: Any])
        var body: [String: Any] = ["path": "x", "method": try #require(members["method"])]
        body["contentType"] = members["contentType"]
        for (name, value) in extra { body[try #require(Self.fields[name])] = value }
        let operation = try #require(members["operation"] as? String)
        // The service signs the date as it is; botocore formats it.
        let wire = try #require((members["wire"] as? [String: Any])?["query"] as? [[String]])
        if extra["ResponseExpires"] != nil { body["responseExpires"] = wire.first { $0[0] == "response-expires" }?[1] }
        let json = Array(try JSONSerialization.data(withJSONObject: body))
        var fields = try PresignRequest(json: json[...])
        guard vector.id != Self.notASCII else {
            #expect(throws: InvalidRequest.self) { try fields.selectOperation() }
            return
        }
        try fields.selectOperation()
        #expect(fields.operation.name == operation)
        let url = try Self.sign(fields, members)
        let expected = try #require((members["expected"] as? [String: Any])?["signature"] as? String)
        #expect(url.hasSuffix("&X-Amz-Signature=" + expected))
    }

    private static func sign(_ fields: PresignRequest, _ members: [String: Any]) throws -> String {
        func text(_ name: String) throws -> String { try #require(members[name] as? String) }
        func flag(_ name: String) -> Bool { members[name] as? Bool ?? false }
        let options = S3EndpointOptions(
            bucket: try text("bucket"), region: try text("region"), endpoint: members["endpoint"] as? String,
            addressing: try #require(S3EndpointOptions.Addressing(rawValue: try text("addressing"))),
            accelerate: flag("accelerate"), dualstack: flag("dualstack"), fips: flag("fips"),
            usEast1Endpoint: try #require(S3EndpointOptions.USEast1Endpoint(rawValue: try text("usEast1Endpoint"))))
        let keys = try #require(members["credentials"] as? [String: String])
        let credentials = try Credentials(
            accessKeyID: try #require(keys["accessKeyId"]), secretAccessKey: try #require(keys["secretAccessKey"]),
            sessionToken: keys["sessionToken"])
        var fields = fields
        fields.path = Array(try text("key").utf8)
        let task = fields.task(
            prefix: [], in: try S3Bucket(options), expiresIn: try #require(members["expiresIn"] as? Int), window: 0)
        var presigner = Presigner()
        return try #require(task).url(
            with: credentials, at: try #require(SigningTime(rfc3339: try text("date"))), using: &presigner
        ).text
    }
}
