import Foundation
import SocketTestSupport
import TestSupport

/// A request to a storage that a client of Apache Iceberg asks to sign.
struct RemoteQuestion: CustomStringConvertible, Sendable {
    var method: String
    var uri: String
    var region = "eu-west-1"
    var headers: [String: [String]] = [:]
    var body: String?
    /// More members, or other values of these.
    var members: [String: any Sendable] = [:]

    init(_ method: String, _ uri: String, _ headers: [String: String] = [:], body: String? = nil) {
        (self.method, self.uri, self.body) = (method, uri, body)
        self.headers = headers.mapValues { [$0] }
    }

    var description: String { "\(method) \(uri) \(headers) \(body ?? "") \(members)" }

    /// The body of the request to the service.
    var json: String {
        get throws {
            var all: [String: any Sendable] = ["method": method, "uri": uri, "region": region, "headers": headers]
            all["body"] = body
            return try DecisionRequest.json(all.merging(members) { $1 })
        }
    }

    /// The document that deletes objects.
    static func document(_ keys: [String]) -> String {
        "<Delete>" + keys.map { "<Object><Key>\($0)</Key></Object>" }.joined() + "<Quiet>true</Quiet></Delete>"
    }
}

/// The response to a request to sign.
struct RemoteAnswer: Decodable {
    let uri: String
    let headers: [String: [String]]

    init(_ response: RawResponse) throws {
        self = try JSONDecoder().decode(RemoteAnswer.self, from: Data(response.body))
    }

    /// The names that the query signs.
    var signedHeaders: [String] { (items["X-Amz-SignedHeaders"] ?? "").split(separator: ";").map(String.init) }

    var items: [String: String] {
        let items = URLComponents(string: uri)?.queryItems ?? []
        return Dictionary(
            items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first + "!repeated" })
    }
}

/// An error in the format of Apache Iceberg.
struct RemoteError: Decodable {
    struct Model: Decodable {
        let message: String
        let type: String
        let code: Int
    }

    let error: Model

    init(_ response: RawResponse) throws {
        self = try JSONDecoder().decode(RemoteError.self, from: Data(response.body))
    }
}

extension SampleConfiguration {
    /// The configuration with stores that sign for Apache Iceberg.
    static var remote: String {
        var configuration = SampleConfiguration()
        configuration.window = "1h"
        return configuration.yaml
            .replacing("default: true, links: false}", with: "default: true, iceberg: true, listing: true}")
            .replacing("prefix: v1/}", with: "prefix: v1/, iceberg: true, listing: true}")
            .replacing(
                "accelerate: true}",
                with: """
                    accelerate: true, iceberg: true}
                      own: {bucket: acme-own, region: eu-west-1, iceberg: true}
                      twin: {bucket: acme-twin, region: eu-west-1, iceberg: true}
                      off: {bucket: acme-twin, region: eu-west-1}
                    """.replacing("\n", with: "\n")
            )
            .replacing("    unsignedHeaders: refused", with: "    unsignedHeaders: refused\n    iceberg: true")
            .replacing(
                "rules:\n",
                with: """
                    rules:
                      - {path: wh/**, allow: {authenticated: [read, list, write, delete, multipart]}}
                      - {path: wh/**, store: archive, allow: {authenticated: [read, list, write]}}
                      - {path: short/**, allow: {authenticated: [get, delete]}, expires: {max: 20s}}
                      - {path: long/**, allow: {authenticated: [get]}, expires: {default: 30s, max: 1h}}
                      - {path: "**", store: own, allow: {caller:web: [delete]}}
                      - {path: "**", store: twin, allow: {caller:web: [delete]}}

                    """) + "\naudit: {to: stdout}\n"
    }

    /// The same without `deny`.
    static var remoteWithoutDenials: String { remote.replacing("deny:\n  - path: \"**/.*\"", with: "") }
}
