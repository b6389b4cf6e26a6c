import Presigning

extension BatchMembers {
    /// `operation`, or what `method`, `uploadId` and `partNumber` come to.
    func operation() throws(FieldFailure) -> AWSS3SigningOperation {
        let uploadId = try string("uploadId")
        let partNumber = try integer("partNumber")
        if let name = try string("operation") {
            guard let operation = AWSS3SigningOperation(named: name, uploadId: uploadId, partNumber: partNumber) else {
                throw FieldFailure("operation", "\(name) is no operation that can be signed")
            }
            return operation
        }
        var fields = PresignFields()
        fields.method = try choice("method", PresignFields.Method.self)
        fields[.uploadId] = uploadId
        fields.partNumber = partNumber.map { Int64($0) }
        do {
            return try PresignPlan(fields).operation
        } catch {
            throw error.errors.first ?? FieldFailure("method", error.detail)
        }
    }

    /// The endpoint's options, each from the line or else from the defaults. Another bucket is another place: of the
    /// defaults it keeps only the region.
    func endpoint(over defaults: S3EndpointOptions?) throws(FieldFailure) -> S3EndpointOptions {
        let base = hasBucket ? nil : defaults
        guard let bucket = try string("bucket") ?? base?.bucket else { throw FieldFailure("bucket", "is missing") }
        guard let region = try string("region") ?? defaults?.region else { throw FieldFailure("region", "is missing") }
        return S3EndpointOptions(
            bucket: bucket, region: region, endpoint: try string("endpoint") ?? base?.endpoint,
            addressing: try choice("addressing", S3EndpointOptions.Addressing.self) ?? base?.addressing ?? .auto,
            accelerate: try boolean("accelerate") ?? base?.accelerate ?? false,
            dualstack: try boolean("dualstack") ?? base?.dualstack ?? false,
            fips: try boolean("fips") ?? base?.fips ?? false,
            usEast1Endpoint: try choice("usEast1Endpoint", S3EndpointOptions.USEast1Endpoint.self)
                ?? base?.usEast1Endpoint ?? .regional)
    }

    /// Headers and parameters besides the operation's own: `wire` as it stands, or else `contentType` and `extra`.
    func extras(
        for operation: AWSS3SigningOperation
    ) throws(FieldFailure) -> (headers: [(name: String, value: String)], query: [(name: String, value: String)]) {
        if let wire = self["wire"] {
            let members = try BatchMembers(wire)
            let own = ["uploads", "uploadId", "partNumber"]
            return (try members.pairs("headers"), try members.pairs("query").filter { !own.contains($0.name) })
        }
        var parameters: [String: S3Parameters.Value] = [:]
        if let value = self["extra"] {
            guard case .object(let extra) = value else { throw FieldFailure("extra", "must be an object") }
            for member in extra {
                let name = String(decoding: member.name, as: UTF8.self)
                parameters[name] = try Self.parameter(member.value, name)
            }
        }
        do {
            var (headers, query) = try {
                let found = try S3Parameters(parameters); return (found.headers, found.query)
            }()
            if operation.takesContentType, let type = try string("contentType") {
                headers.append(("content-type", type))
            }
            return (headers, query)
        } catch let failure as FieldFailure {
            throw failure
        } catch {
            throw FieldFailure("extra", "\(error)")
        }
    }

    private static func parameter(_ value: JSONValue, _ name: String) throws(FieldFailure) -> S3Parameters.Value {
        switch value {
        case .string(let text): return .string(String(decoding: text, as: UTF8.self))
        case .boolean(let value): return .boolean(value)
        case .number:
            guard let integer = value.integer else { throw FieldFailure(name, "must be a whole number") }
            return .integer(Int(integer))
        case .object(let members):
            var map: [String: String] = [:]
            for member in members {
                guard let text = member.value.string else { throw FieldFailure(name, "must hold strings") }
                map[String(decoding: member.name, as: UTF8.self)] = String(decoding: text, as: UTF8.self)
            }
            return .map(map)
        case .array, .null: throw FieldFailure(name, "has no value that can be signed")
        }
    }

    /// `[["name","value"], ...]`
    private func pairs(_ name: String) throws(FieldFailure) -> [(name: String, value: String)] {
        guard let value = self[name] else { return [] }
        guard case .array(let items) = value else { throw FieldFailure(name, "must be a list of pairs") }
        var pairs: [(name: String, value: String)] = []
        for item in items {
            guard case .array(let pair) = item, pair.count == 2, let first = pair[0].string, let second = pair[1].string
            else { throw FieldFailure(name, "must be a list of pairs of strings") }
            pairs.append((String(decoding: first, as: UTF8.self), String(decoding: second, as: UTF8.self)))
        }
        return pairs
    }
}
