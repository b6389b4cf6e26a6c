import Foundation
import Presigning
import Testing

@testable import SigningVectors

/// One line of `Vectors/public.jsonl`: a request, and each stage of its signature as botocore computes it.
struct Vector: Decodable, Sendable, CustomTestStringConvertible {
    struct Keys: Decodable, Sendable {
        let accessKeyId: String
        let secretAccessKey: String
        let sessionToken: String?
    }
    struct Wire: Decodable, Sendable {
        let query: [[String]]
        let headers: [[String]]
    }
    struct Expected: Decodable, Sendable {
        let url: String
        let canonicalRequest: String
        let stringToSign: String
        let signature: String
        let query: [String: String]
    }

    let id: String
    let category: String
    let tags: [String]
    let date: String
    let region: String
    let bucket: String
    let endpoint: String?
    let addressing: String
    let accelerate: Bool
    let dualstack: Bool
    let fips: Bool
    let usEast1Endpoint: String
    let operation: String
    let method: String
    let key: String
    let contentType: String?
    let expiresIn: Int
    let uploadId: String?
    let partNumber: Int?
    let extra: [String: JSONParameter]
    let wire: Wire
    let credentials: Keys
    let expected: Expected

    var testDescription: String { id }

    /// All vectors except access point ARNs and those where botocore violates S3's own rules.
    static let all: [Vector] = load("public").filter {
        !$0.tags.contains("quirk") && !($0.tags.contains("optional") && $0.bucket.hasPrefix("arn:"))
    }

    static func load<Line: Decodable>(_ name: String) -> [Line] {
        guard let file = Bundle.module.url(forResource: name, withExtension: "jsonl", subdirectory: "Vectors"),
            let text = try? String(contentsOf: file, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }
}

/// A value of `extra` as in the JSON.
struct JSONParameter: Decodable, Sendable {
    let value: S3Parameters.Value

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            value = .integer(number)
        } else if let text = try? container.decode(String.self) {
            value = .string(text)
        } else {
            value = .map(try container.decode([String: String].self))
        }
    }
}
