import HTTPClient
import PresignService
import Presigning
import StorageCredentials

@testable import PresignTools

enum DoctorFixture {
    static let time = SigningTime(secondsSince1970: 1_800_000_000)
    /// The names of all checks.
    static let checks = Set(
        """
        clock session delete put get head listing public-endpoint signature method key query expiry signed-endpoint \
        content-type size checksum create-only form form-size form-field checksum-in-query x-amz-copy-source \
        x-amz-acl x-amz-meta x-amz-tagging multipart part-size part-checksum complete-create-only total-size upload-id \
        part-copy-source preflight exposed-etag missing-object list-buckets bucket-policy other-keys
        """.split(separator: " ").map(String.init))

    static func reply(
        _ status: Int, _ code: String? = nil, headers: [String: String] = [:], body: [UInt8]? = nil
    ) -> Reply {
        let document = code.map { Array("<Error><Code>\($0)</Code></Error>".utf8) }
        return Reply(FetchResponse(status: status, headers: headers, body: body ?? document ?? []), at: time)
    }

    static func configuration(_ rules: String, store: String = "", sections: String = "") throws -> ServiceConfiguration
    {
        let yaml = """
            version: 1
            stores: {main: {bucket: bucket, region: eu-west-1, endpoint: "http://127.0.0.1:9"\(store)}}
            auth: {guest: true}
            \(sections)
            rules:
            \(rules)
            """
        return try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
    }

    static func credentials(
        _ id: String = "AKIDEXAMPLE", token: String? = nil, expiration: SigningTime? = nil
    ) throws -> Credentials {
        try Credentials(accessKeyID: id, secretAccessKey: "secret", sessionToken: token, expiration: expiration)
    }

    /// A session whose requests the closure answers.
    static func session(
        _ configuration: ServiceConfiguration, writes: Bool = true, isInterrupted: @escaping () -> Bool = { false },
        _ exchange: @escaping (FetchRequest) throws(FetchFailure) -> FetchResponse
    ) throws -> DoctorSession {
        DoctorSession(
            configuration.stores[0], mark: DoctorMark(at: time), credentials: PerRole(both: try credentials()),
            prefix: Array("presign-doctor/".utf8), writes: writes,
            .init(exchange: exchange, now: { time }, isInterrupted: isInterrupted))
    }
}
