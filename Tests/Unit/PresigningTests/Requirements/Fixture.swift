import Presigning
import Testing

/// Shared by the tests of the requirements: one bucket, two sets of credentials, one time.
enum Fixture {
    static let time = SigningTime(secondsSince1970: 1_790_000_000)
    static let path: StoragePath = "public/holiday snap.jpg"

    static func bucket(accelerate: Bool = false) throws -> S3Bucket {
        try S3Bucket(S3EndpointOptions(bucket: "media", region: "eu-west-1", accelerate: accelerate))
    }

    static func credentials(token: String? = nil, secondsLeft: Int? = nil) throws -> Credentials {
        try Credentials(
            accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
            sessionToken: token, expiration: secondsLeft.map { time.advanced(bySeconds: $0) })
    }

    /// Signs a request; a HEAD request is a failure unless `headObject` is passed.
    static func sign(
        _ request: StorageGetURLRequest, with credentials: Credentials? = nil,
        headObject: (PresignedURL) throws(StorageError) -> HeadObjectResult = { url in
            Issue.record("unexpected HEAD \(url)")
            return .notFound
        }
    ) throws -> PresignedURL {
        var presigner = Presigner()
        return try AWSS3StorageGetURLTask(request, in: bucket()).execute(
            with: credentials ?? Self.credentials(), at: time, using: &presigner, headObject: headObject)
    }

    static func request(
        _ plugin: AWSStorageGetURLOptions? = nil, path: StoragePath = path,
        expires: Int = StorageGetURLRequest.Options.defaultExpires
    ) -> StorageGetURLRequest {
        StorageGetURLRequest(path: path, options: .init(expires: expires, pluginOptions: plugin))
    }
}

extension PresignedURL {
    /// A parameter's value, percent-encoded.
    func parameter(_ name: String) -> String? {
        let parameters = text.split(separator: "?", maxSplits: 1).last?.split(separator: "&") ?? []
        return parameters.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// Whether S3 would accept a request with this URL and these headers.
    func admits(method: String, headers: [(name: String, value: String)], key: Credentials) -> Bool {
        let slashes = bytes.indices.filter { bytes[$0] == 0x2f }
        let request = PresignedURLVerifier.Request(
            method: method, host: String(decoding: bytes[(slashes[1] + 1)..<slashes[2]], as: UTF8.self),
            target: Array(bytes[slashes[2]...]), headers: headers)
        return PresignedURLVerifier().verify(request, at: Fixture.time) { _ in key.secretAccessKey } == .valid
    }
}
