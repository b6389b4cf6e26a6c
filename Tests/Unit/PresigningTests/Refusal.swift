import Presigning
import Testing

@testable import SigningVectors

/// One line of `Vectors/refusals.jsonl`: a request that must be rejected.
struct Refusal: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let why: String
    let region: String
    let bucket: String
    let endpoint: String?
    let addressing: String
    let accelerate: Bool
    let dualstack: Bool
    let fips: Bool
    let operation: String
    let key: String
    let expiresIn: Int
    let extra: [String: JSONParameter]

    var testDescription: String { why }

    /// All lines except the one whose key is not valid Unicode, which a JSON reader rejects before a key exists.
    static let all: [Refusal] = Vector.load("refusals")

    func sign() throws {
        guard let style = S3EndpointOptions.Addressing(rawValue: addressing),
            let operation = AWSS3SigningOperation(named: operation)
        else { throw Unusable(what: id) }
        let bucket = try S3Bucket(
            S3EndpointOptions(
                bucket: bucket, region: region, endpoint: endpoint, addressing: style, accelerate: accelerate,
                dualstack: dualstack, fips: fips))
        let parameters = try S3Parameters(extra.mapValues(\.value))
        try AWSS3StorageGetURLTask(
            operation, key: .fromString(key), in: bucket, expiresIn: expiresIn, headers: parameters.headers,
            query: parameters.query
        ).validate()
    }
}
