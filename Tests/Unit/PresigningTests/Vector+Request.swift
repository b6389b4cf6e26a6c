@testable import Presigning

extension Vector {
    func time() throws -> SigningTime {
        guard let time = SigningTime(rfc3339: date) else { throw Unusable(what: date) }
        return time
    }

    func signer(secret: String? = nil) throws -> Credentials {
        try Credentials(
            accessKeyID: credentials.accessKeyId, secretAccessKey: secret ?? credentials.secretAccessKey,
            sessionToken: credentials.sessionToken)
    }

    func s3Endpoint() throws -> S3Endpoint {
        try S3Endpoint(endpointOptions())
    }

    func endpointOptions() throws -> S3EndpointOptions {
        guard let style = S3EndpointOptions.Addressing(rawValue: addressing),
            let usEast1 = S3EndpointOptions.USEast1Endpoint(rawValue: usEast1Endpoint)
        else { throw Unusable(what: addressing) }
        return S3EndpointOptions(
            bucket: bucket, region: region, endpoint: endpoint, addressing: style, accelerate: accelerate,
            dualstack: dualstack, fips: fips, usEast1Endpoint: usEast1)
    }

    func signingOperation() throws -> AWSS3SigningOperation {
        guard let operation = AWSS3SigningOperation(named: operation, uploadId: uploadId, partNumber: partNumber) else {
            throw Unusable(what: operation)
        }
        return operation
    }

    /// A task with the headers and parameters that the vector lists as sent.
    func taskFromWire() throws -> AWSS3StorageGetURLTask {
        let operation = try signingOperation()
        // The operation writes these itself.
        let own = operation.ownQuery.map(\.name)
        return AWSS3StorageGetURLTask(
            operation, key: .fromString(key), in: try S3Bucket(endpointOptions()), expiresIn: expiresIn,
            headers: wire.headers.map { (name: $0[0], value: $0[1]) },
            query: wire.query.filter { !own.contains($0[0]) }.map { (name: $0[0], value: $0[1]) })
    }
}

struct Unusable: Error {
    let what: String
}
