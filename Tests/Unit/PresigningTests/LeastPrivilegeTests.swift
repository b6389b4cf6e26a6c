import Foundation
import TestSupport
import Testing

@testable import Presigning

@Suite("Example IAM policies in config")
struct LeastPrivilegeTests {
    private struct Policy: Decodable {
        struct Statement: Decodable {
            let id: String
            let effect: String
            let actions: [String]
            let resources: [String]

            private enum Key: String, CodingKey { case Sid, Effect, Action, Resource }

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: Key.self)
                id = try values.decode(String.self, forKey: .Sid)
                effect = try values.decode(String.self, forKey: .Effect)
                // IAM accepts a single string for a list with one element.
                let list = { (key: Key) in
                    try (try? values.decode([String].self, forKey: key)) ?? [values.decode(String.self, forKey: key)]
                }
                (actions, resources) = (try list(.Action), try list(.Resource))
            }
        }

        let statements: [Statement]

        private enum CodingKeys: String, CodingKey { case statements = "Statement" }
    }

    /// The permission that S3 requires for an operation (Amazon S3 API operations, "Permissions").
    private static func action(of operation: AWSS3SigningOperation) -> String {
        switch operation {
        case .getObject, .headObject: "s3:GetObject"
        case .putObject, .createMultipartUpload, .uploadPart, .completeMultipartUpload: "s3:PutObject"
        case .deleteObject: "s3:DeleteObject"
        case .abortMultipartUpload: "s3:AbortMultipartUpload"
        case .listParts: "s3:ListMultipartUploadParts"
        }
    }

    private static let operations: [AWSS3SigningOperation] = [
        .getObject, .putObject, .headObject, .deleteObject, .createMultipartUpload,
        .uploadPart(partNumber: 1, uploadId: "u"), .completeMultipartUpload(uploadId: "u"),
        .abortMultipartUpload(uploadId: "u"), .listParts(uploadId: "u"),
    ]

    @Test("They grant exactly the operations that presign signs and checks, with objects limited by prefix")
    func actions() throws {
        let signed = Set(Self.operations.map(Self.action))
        let read: Set = ["s3:GetObject", "s3:ListBucket"]
        #expect(try Self.granted(by: "iam-policy.json") == signed.union(read))
        #expect(try Self.granted(by: "iam-policy-read.json") == read)
        #expect(try Self.granted(by: "iam-policy-write.json") == signed.subtracting(read))
    }

    @Test("What only some rules need is in statements that can be removed")
    func optionalActions() throws {
        // `versionId`, `tagging`, and objects encrypted with a KMS key ("Permissions" of GetObject and PutObject).
        let (version, tags, keys) = ("s3:GetObjectVersion", "s3:PutObjectTagging", "kms:GenerateDataKey")
        let optional = { try Self.granted(by: $0, areOptional: true) }
        #expect(try optional("iam-policy.json") == [version, tags, keys, "kms:Decrypt"])
        #expect(try optional("iam-policy-read.json") == [version, "kms:Decrypt"])
        #expect(try optional("iam-policy-write.json") == [tags, keys, "kms:Decrypt"])
    }

    private static func granted(by name: String, areOptional: Bool = false) throws -> Set<String> {
        let policy = try JSONDecoder().decode(Policy.self, from: Data(Repository.bytes(of: "config/" + name)))
        let granted = policy.statements.filter {
            $0.effect == "Allow" && $0.id.hasPrefix("OnlyFor") == areOptional
        }
        for statement in granted {
            let isKey = statement.actions.allSatisfy { $0.hasPrefix("kms:") }
            #expect(!isKey || statement.resources.allSatisfy { $0.hasPrefix("arn:aws:kms:") && !$0.contains("*") })
            if isKey || statement.actions.contains("s3:ListBucket") { continue }
            #expect(statement.resources.allSatisfy { $0.hasSuffix("/*") && $0.split(separator: "/").count > 2 })
        }
        return Set(granted.flatMap(\.actions))
    }
}
