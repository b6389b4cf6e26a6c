import Testing

@testable import Presigning

@Suite("What follows from an operation")
struct OperationTraitTests {
    /// The traits of an operation in words, in the order of S3's documentation.
    struct Row: Sendable, CustomTestStringConvertible {
        let operation: AWSS3SigningOperation
        let request: String
        let access: String
        /// Whether it sends content, creates an object, and takes a content type.
        let traits: String
        var length: String?

        var testDescription: String { operation.name }
    }

    static let rows = [
        Row(operation: .getObject, request: "GET", access: "read get", traits: ""),
        Row(operation: .headObject, request: "HEAD", access: "read get", traits: ""),
        Row(
            operation: .listObjectsV2(prefix: "a/"), request: "GET list-type=2 encoding-type=url prefix=a/",
            access: "read list", traits: ""),
        Row(
            operation: .putObject, request: "PUT", access: "write write", traits: "sends creates typed",
            length: "content-length"),
        Row(operation: .deleteObject, request: "DELETE", access: "write delete", traits: ""),
        Row(
            operation: .createMultipartUpload, request: "POST uploads=", access: "write multipart create",
            traits: "typed"),
        Row(
            operation: .uploadPart(partNumber: 7, uploadId: "U"), request: "PUT partNumber=7 uploadId=U",
            access: "write multipart part", traits: "sends typed", length: "content-length"),
        Row(
            operation: .listParts(uploadId: "U"), request: "GET uploadId=U", access: "write multipart list",
            traits: ""),
        Row(
            operation: .completeMultipartUpload(uploadId: "U"), request: "POST uploadId=U",
            access: "write multipart complete", traits: "creates", length: "x-amz-mp-object-size"),
        Row(
            operation: .abortMultipartUpload(uploadId: "U"), request: "DELETE uploadId=U",
            access: "write multipart abort", traits: ""),
    ]

    @Test("The table of operations says what is sent, who signs it, what grants it, and what it takes", arguments: rows)
    func row(_ row: Row) {
        let (operation, all) = (row.operation, row.operation.traits)
        let query = operation.ownQuery.map { " \($0.name)=\($0.value)" }.joined()
        #expect(operation.method + query == row.request)
        let step = all.step.map { " \($0.rawValue)" } ?? ""
        #expect("\(all.role.rawValue) \(all.action.name)\(step)" == row.access)
        let traits = [
            all.sendsContent ? "sends" : nil, all.createsObject ? "creates" : nil,
            all.takesContentType ? "typed" : nil,
        ]
        #expect(traits.compactMap(\.self).joined(separator: " ") == row.traits)
        #expect(all.length?.rawValue == row.length)
    }

    @Test("Every operation with a URL has a row")
    func complete() {
        #expect(
            Set(Self.rows.map(\.operation.kind)) == Set(AWSS3SigningOperation.Kind.allCases).subtracting([.postObject]))
    }
}
