import Foundation
import TestSupport
import Testing
import Text

@testable import DataFormats
@testable import PresignService
@testable import Requests
@testable import Telemetry

/// The service against its description, `config/openapi.yaml`.
@Suite struct ContractTests {
    /// Read once, because that takes longer than a case.
    private static let description = Result { try OpenAPIDocument() }
    private static let service = Result { try LiveService() }
    private static let bareService = Result { try LiveService(isBare: true) }
    private static let localService = Result { try LiveService(isLocal: true) }
    private let document: OpenAPIDocument
    private let schemas: SchemaCheck

    init() throws {
        document = try Self.description.get()
        schemas = SchemaCheck(document: document)
    }

    @Test("The documented members of a request are those the service accepts")
    func requestMembers() throws {
        let schema = try #require(document.schema("PresignRequest"))
        #expect(schema["additionalProperties"]?.text == "false")
        let documented = Set((schema["properties"]?.members ?? []).map(\.name))
        #expect(documented == Set(PresignFieldName.allCases.map(\.rawValue)))
        let methods = schema["properties"]?["method"]?["enum"]?.entries.compactMap(\.text)
        #expect(methods == PresignRequest.Method.allCases.map(\.rawValue))
    }

    @Test("Every documented status and code has a request in this table")
    func everyStatusHasARequest() throws {
        for operation in document.operations {
            let asked = Set(ContractCase.all.filter { $0.operation == operation }.map(\.status))
            // The responses of a stopping and of a full service have their own tests.
            let without = ["/readyz", "/presign/batch"].contains(operation.path) && operation.method != "options"
            #expect(document.statuses(of: operation) == asked.union(without ? [503] : []), "\(operation)")
        }
        let codes = document.schema("Problem")?["properties"]?["code"]?["enum"]?.entries.compactMap(\.text) ?? []
        #expect(
            Set(codes)
                == Set(ContractCase.all.compactMap(\.code) + ["credentials-unavailable", "issuer-keys-unavailable"]))
    }

    @Test("The service serves the document, with its own version and address")
    func servedDocument() throws {
        let received = try Self.bareService.get().response(to: ContractCase.message("GET /openapi.yaml", []))
        #expect(received.body == (try Repository.bytes(of: "config/openapi.yaml")))
        #expect(document.root["info"]?["version"]?.text == BuildInformation.version)
        #expect(document.root["servers"]?.entries.first?["url"]?.text == "/")
    }

    /// Finds rejections that no request above triggers and that would stay undocumented.
    @Test("Every status that the sources name with a code is documented")
    func everyStatusIsDocumented() throws {
        let codes = Set(ProblemCode.allCases.map { "\($0)" })
        let statuses = document.operations.reduce(into: Set<Int>()) { $0.formUnion(document.statuses(of: $1)) }
        let sources = Repository.root.appending(path: "Sources/PresignService")
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        var found = 0
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            let matches = source.matches(of: /[( ]([45][0-9]{2})[,:]\s+\(?\.([a-zA-Z]+)/)
            for match in matches where codes.contains("\(match.output.2)") {
                found += 1
                #expect(statuses.contains(Int(match.output.1) ?? 0), "\(file.lastPathComponent): \(match.output.0)")
            }
        }
        #expect(found >= 20)
    }

    @Test("A response is as documented", arguments: ContractCase.all)
    func response(_ contract: ContractCase) throws {
        let received = try response(to: contract)
        #expect(received.status == contract.status)
        try check(received, contract.operation)
        guard let code = contract.code else { return }
        guard received.contentType != "text/plain" else {
            #expect(String(decoding: received.body, as: UTF8.self).hasPrefix("error \(contract.status) \(code): "))
            return
        }
        let problem = try JSONValue(parsing: received.body)
        #expect(problem["code"]?.string == Array(code.utf8))
        #expect(problem["type"]?.string == Array("urn:presign:problem:\(code)".utf8))
        #expect(problem["status"]?.integer == Int64(contract.status))
        #expect(problem["message"] == problem["detail"])
        #expect(problem["requestId"]?.string == received.headers["x-request-id"].map { Array($0.utf8) })
    }

    private func response(to contract: ContractCase) throws -> ParsedResponse {
        if contract.isLocal { return try Self.localService.get().response(to: contract.request) }
        if contract.isBare { return try Self.bareService.get().response(to: contract.request) }
        guard contract.isRepeated else { return try Self.service.get().response(to: contract.request) }
        let service = try LiveService(limits: "{perCaller: {rate: 1/h, burst: 1}, perShareClient: 1/h}")
        _ = try service.response(to: contract.request)
        return try service.response(to: contract.request)
    }

    @Test("Every example request is accepted and gets a documented response")
    func requestExamples() throws {
        let schema = try #require(document.schema("PresignRequest"))
        let examples = document.requestExamples(of: "/presign")
        #expect(examples.count >= 5)
        for example in examples {
            #expect(schemas.violations(of: example.value.json, schema).isEmpty, "\(example.name)")
            let received = try Self.service.get().response(to: request(example.value, as: example.contentType))
            #expect(received.status == 200, "\(example.name)")
            try check(received, .init(path: "/presign", method: "post"))
        }
    }

    @Test("Every example batch gets a URL for each item")
    func batchExamples() throws {
        let schema = try #require(document.schema("BatchRequest"))
        for example in document.requestExamples(of: "/presign/batch") {
            #expect(schemas.violations(of: example.value.json, schema).isEmpty, "\(example.name)")
            var body = ByteBuffer()
            body.appendJSON(example.value.json)
            let request = ContractCase.presignBatch(String(decoding: body.bytes, as: UTF8.self))
            let received = try Self.service.get().response(to: request)
            try check(received, .init(path: "/presign/batch", method: "post"))
            guard case .array(let results)? = try JSONValue(parsing: received.body)["results"] else {
                Issue.record("the response has no results")
                continue
            }
            #expect(results.count == 2 && results.allSatisfy { $0["url"] != nil })
        }
    }

    @Test("A stopping service is not ready, as documented", arguments: ["GET", "HEAD"])
    func stopping(method: String) throws {
        let service = try LiveService()
        service.beginShutdown()
        let received = try service.response(to: ContractCase.message("\(method) /readyz", []))
        #expect(received.status == 503)
        try check(received, .init(path: "/readyz", method: method.lowercased()))
    }

    @Test("A full service responds to a batch as documented")
    func full() throws {
        let service = try LiveService(connections: 1)
        let received = try service.keeping { try service.response(to: ContractCase.presignBatch("{}")) }
        #expect(received.status == 503)
        try check(received, .init(path: "/presign/batch", method: "post"))
    }

    /// Status, content type, required headers, and the body's members.
    private func check(_ received: ParsedResponse, _ operation: OpenAPIDocument.Operation) throws {
        let response = try #require(document.response(received.status, of: operation), "an undocumented status")
        for header in response["headers"]?.members ?? [] {
            let described = document.resolved(header.value)
            guard let value = received.headers[header.name.lowercased()] else {
                #expect(described["required"]?.text != "true", "\(header.name)")
                continue
            }
            guard let schema = described["schema"], document.resolved(schema)["type"]?.text == "string" else {
                continue
            }
            #expect(schemas.violations(of: .string(Array(value.utf8)), schema) == [], "\(header.name)")
        }
        // Only the redirect of a link may be used again without asking, and only within a window.
        let control = try #require(received.headers["cache-control"])
        let isCacheable = received.status == 307 && control.wholeMatch(of: /private, max-age=[0-9]+/) != nil
        let files = ["/", "/presign.js", "/presign-worker.js"]
        let isFile = files.contains(operation.path) && [200, 304].contains(received.status)
        // What the description says about it is checked above.
        let isSignature = operation.path == "/iceberg/{store}/sign" && received.status == 200
        #expect(control == (isFile ? "no-cache" : "no-store") || isCacheable || isSignature, "\(control)")
        guard operation.method != "head", let content = response["content"] else {
            #expect(received.body.isEmpty)
            return
        }
        let type = try #require(received.contentType)
        let schema = try #require(content[type]?["schema"], "an undocumented content type \(type)")
        let value = type.hasSuffix("json") ? try JSONValue(parsing: received.body) : .string(received.body)
        #expect(schemas.violations(of: value, schema) == [])
    }

    private func request(_ body: DocumentNode, as contentType: String) -> String {
        guard contentType == "application/json" else {
            let fields = body.members.map { "\($0.name)=\($0.value.text ?? "")" }
            return ContractCase.presign(form: fields.joined(separator: "&"))
        }
        var bytes = ByteBuffer()
        bytes.appendJSON(body.json)
        return ContractCase.presign(json: String(decoding: bytes.bytes, as: UTF8.self))
    }
}
