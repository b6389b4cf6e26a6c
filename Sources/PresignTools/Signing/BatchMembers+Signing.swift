import ConfigurationReading
import DataFormats
import PresignService
import Presigning

extension BatchMembers {
    /// Returns the operation that `operation` names, or that `method`, `uploadId` and `partNumber` imply.
    ///
    /// - Throws: `FieldFailure` for a field that contradicts the operation.
    func operation(_ defaults: SigningDefaults) throws(FieldFailure) -> AWSS3SigningOperation {
        let uploadId = try string("uploadId") ?? defaults.uploadId
        let partNumber = try integer("partNumber")
        let method = try choice("method", PresignFields.Method.self)
        let prefix = try listedPrefix(defaults)
        guard let name = try string("operation") else {
            return try Self.operation(method, uploadId: uploadId, partNumber: partNumber, prefix: prefix)
        }
        let operation = AWSS3SigningOperation(
            named: name, uploadId: uploadId, partNumber: partNumber, prefix: prefix)
        guard let operation else {
            throw FieldFailure(
                "operation",
                "unknown operation `\(name)`"
                    + Suggestion.text(
                        for: name, among: AWSS3SigningOperation.Kind.allCases.filter { $0 != .postObject }.map(\.name)))
        }
        if let method, method.rawValue != operation.method {
            throw FieldFailure("method", "\(method.rawValue) contradicts `operation`: \(name) uses \(operation.method)")
        }
        if uploadId != nil, !operation.traits.query.contains(.uploadId) {
            throw FieldFailure("uploadId", "contradicts `operation`: \(name) has no upload id")
        }
        if partNumber != nil, operation.traits.step != .part {
            throw FieldFailure("partNumber", "contradicts `operation`: \(name) has no part number")
        }
        if (prefix != nil) != operation.isForBucket {
            throw FieldFailure("prefix", "is required for listObjectsV2, and allowed with no other operation")
        }
        return operation
    }

    /// Returns the prefix to list, with the prefix of the default bucket; nil if the line has no `prefix`.
    private func listedPrefix(_ defaults: SigningDefaults) throws(FieldFailure) -> String? {
        guard let prefix = try bytes("prefix") else { return nil }
        guard self["key"] == nil, self["path"] == nil else {
            throw FieldFailure("prefix", "cannot be combined with `key`; it lists the objects below a prefix")
        }
        return String(decoding: hasBucket ? prefix : defaults.prefix + prefix, as: UTF8.self)
    }

    private static func operation(
        _ method: PresignFields.Method?, uploadId: String?, partNumber: Int?, prefix: String?
    ) throws(FieldFailure) -> AWSS3SigningOperation {
        var fields = PresignFields()
        fields.isListing = prefix != nil
        fields.path = Array((prefix ?? "").utf8)
        fields.method = method
        fields.uploadId = uploadId
        fields.partNumber = partNumber.map { Int64($0) }
        do {
            return try fields.operation()
        } catch {
            throw error.errors.first ?? FieldFailure("method", error.detail)
        }
    }

    /// Returns the bucket and its endpoint, each option from the line or else from the defaults.
    func endpoint(over defaults: SigningDefaults) throws(FieldFailure) -> S3EndpointOptions {
        let base = defaults.endpoint
        guard let bucket = try string("bucket") ?? base?.bucket else {
            throw FieldFailure("bucket", "is missing; set it in the line, or pass --bucket or --config")
        }
        guard let region = try string("region") ?? base?.region ?? defaults.region else {
            throw FieldFailure("region", "is missing; set it in the line, pass --region, or set AWS_REGION")
        }
        return S3EndpointOptions(
            bucket: bucket, region: region,
            endpoint: endpointIsNull ? nil : try string("endpoint") ?? base?.endpoint,
            addressing: try choice("addressing", S3EndpointOptions.Addressing.self) ?? base?.addressing ?? .auto,
            accelerate: try boolean("accelerate") ?? base?.accelerate ?? false,
            dualstack: try boolean("dualstack") ?? base?.dualstack ?? false,
            fips: try boolean("fips") ?? base?.fips ?? false,
            usEast1Endpoint: try choice("usEast1Endpoint", S3EndpointOptions.USEast1Endpoint.self)
                ?? base?.usEast1Endpoint ?? .regional)
    }

    /// Returns the headers and parameters of `contentType` and `extra`.
    func extras(
        for operation: AWSS3SigningOperation, _ defaults: SigningDefaults
    ) throws(FieldFailure) -> (headers: [(name: String, value: String)], query: [(name: String, value: String)]) {
        let parameters = try extraParameters()
        // With other operations S3 uses this name for the algorithm of an SDK, which another header carries.
        guard operation == .createMultipartUpload || parameters["ChecksumAlgorithm"] == nil else {
            throw FieldFailure("extra.ChecksumAlgorithm", "applies only to createMultipartUpload")
        }
        let contentType = try contentType(for: operation, defaults)
        do {
            let found = try S3Parameters(parameters)
            return (found.headers + (contentType.map { [("content-type", $0)] } ?? []), found.query)
        } catch {
            throw FieldFailure("extra", error.description)
        }
    }

    /// Returns the type to sign. Like the service, it ignores the type for `GET`, `HEAD` and `DELETE` of an object.
    private func contentType(
        for operation: AWSS3SigningOperation, _ defaults: SigningDefaults
    ) throws(FieldFailure) -> String? {
        let type = try string("contentType")
        let traits = operation.traits
        if traits.step ?? .create == .create { return traits.takesContentType ? type ?? defaults.contentType : nil }
        guard type == nil else {
            throw FieldFailure("contentType", "applies only to putObject and createMultipartUpload")
        }
        return nil
    }

    private func extraParameters() throws(FieldFailure) -> [String: S3Parameters.Value] {
        guard let value = self["extra"] else { return [:] }
        guard case .object(let extra) = value else { throw FieldFailure("extra", "must be an object") }
        var parameters: [String: S3Parameters.Value] = [:]
        for member in extra {
            let name = String(decoding: member.name, as: UTF8.self)
            guard S3Parameters.names.contains(name) else { throw Self.unknownParameter(name) }
            parameters[name] = try Self.parameter(member.value, "extra.\(name)")
        }
        return parameters
    }

    private static func unknownParameter(_ name: String) -> FieldFailure {
        let member = name.prefix(1).lowercased() + name.dropFirst()
        let hint =
            line.contains(member)
            ? "; set the field `\(member)` of the line instead" : Suggestion.text(for: name, among: S3Parameters.names)
        return FieldFailure("extra.\(name)", "unknown parameter of S3" + hint)
    }

    private static func parameter(_ value: JSONValue, _ field: String) throws(FieldFailure) -> S3Parameters.Value {
        switch value {
        case .string(let text): return .string(String(decoding: text, as: UTF8.self))
        case .boolean(let value): return .boolean(value)
        case .number:
            guard let integer = value.integer else { throw FieldFailure(field, "must be a whole number") }
            return .integer(Int(integer))
        case .object(let members):
            var map: [String: String] = [:]
            for member in members {
                guard let text = member.value.string else { throw FieldFailure(field, "must be an object of strings") }
                map[String(decoding: member.name, as: UTF8.self)] = String(decoding: text, as: UTF8.self)
            }
            return .map(map)
        case .array, .null: throw FieldFailure(field, "must be a string, a number, true, false or an object")
        }
    }
}
