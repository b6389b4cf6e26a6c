import DataFormats
import Presigning

extension VectorMembers {
    /// Returns the operation that `operation` names, or that `method`, `uploadId`, `partNumber` and `prefix` select.
    ///
    /// - Throws: `MemberFailure` for a member that contradicts the operation.
    func operation() throws(MemberFailure) -> AWSS3SigningOperation {
        let kind = try kind()
        let traits = kind.traits
        if let method = try string("method"), method != traits.method.description {
            throw MemberFailure("method", "\(method) contradicts `operation`: \(kind.name) uses \(traits.method)")
        }
        if self["uploadId"] != nil, !traits.namesUpload {
            throw MemberFailure("uploadId", "contradicts `operation`: \(kind.name) has no upload id")
        }
        if self["partNumber"] != nil, traits.step != .part {
            throw MemberFailure("partNumber", "contradicts `operation`: \(kind.name) has no part number")
        }
        if (self["prefix"] != nil) != (traits.action == .list) {
            throw MemberFailure("prefix", "is required for listObjectsV2, and allowed with no other operation")
        }
        let operation = AWSS3SigningOperation(
            kind, partNumber: try integer("partNumber") ?? 0, uploadId: try string("uploadId") ?? "",
            prefix: try string("prefix") ?? "")
        guard let operation else {
            throw MemberFailure("operation", "\(kind.name) has no URL")
        }
        return operation
    }

    private func kind() throws(MemberFailure) -> AWSS3SigningOperation.Kind {
        let kinds = AWSS3SigningOperation.Kind.allCases.filter { $0 != .postObject }
        if let name = try string("operation") {
            guard let kind = kinds.first(where: { $0.name == name }) else {
                throw MemberFailure(
                    "operation",
                    "unknown operation `\(name)`" + Suggestion.text(for: name, among: kinds.map(\.name)))
            }
            return kind
        }
        let method = try string("method") ?? "GET"
        let kind = kinds.first { kind in
            let traits = kind.traits
            return traits.method.description == method && (self["uploadId"] != nil) == traits.namesUpload
                && (self["partNumber"] != nil) == (traits.step == .part)
                && (self["prefix"] != nil) == (traits.action == .list)
        }
        guard let kind else { throw MemberFailure("method", "no operation has \(method) with these members") }
        return kind
    }

    /// Returns the bucket and its endpoint.
    func endpoint() throws(MemberFailure) -> S3EndpointOptions {
        guard let bucket = try string("bucket") else { throw MemberFailure("bucket", "is missing") }
        guard let region = try string("region") else { throw MemberFailure("region", "is missing") }
        return S3EndpointOptions(
            bucket: bucket, region: region, endpoint: try string("endpoint"),
            signedEndpoint: try string("signedEndpoint"),
            addressing: try choice("addressing", S3EndpointOptions.Addressing.self) ?? .auto,
            accelerate: try boolean("accelerate") ?? false, dualstack: try boolean("dualstack") ?? false,
            fips: try boolean("fips") ?? false,
            usEast1Endpoint: try choice("usEast1Endpoint", S3EndpointOptions.USEast1Endpoint.self) ?? .regional)
    }

    /// Returns the headers and parameters of `contentType` and `extra`.
    func extras(
        for operation: AWSS3SigningOperation
    ) throws(MemberFailure) -> (headers: [(name: String, value: String)], query: [(name: String, value: String)]) {
        let parameters = try extraParameters()
        // With other operations S3 uses this name for the algorithm of an SDK, which another header carries.
        guard operation == .createMultipartUpload || parameters["ChecksumAlgorithm"] == nil else {
            throw MemberFailure("extra.ChecksumAlgorithm", "applies only to createMultipartUpload")
        }
        let contentType = try contentType(for: operation.traits)
        do {
            let found = try S3Parameters(parameters)
            return (found.headers + (contentType.map { [("content-type", $0)] } ?? []), found.query)
        } catch {
            throw MemberFailure("extra", error.description)
        }
    }

    /// Returns the type to sign. Like the service, it ignores the type for `GET`, `HEAD` and `DELETE` of an object.
    private func contentType(for traits: OperationTraits) throws(MemberFailure) -> String? {
        let type = try string("contentType")
        if traits.step ?? .create == .create { return traits.takesContentType ? type : nil }
        guard type == nil else {
            throw MemberFailure("contentType", "applies only to putObject and createMultipartUpload")
        }
        return nil
    }

    private func extraParameters() throws(MemberFailure) -> [String: S3Parameters.Value] {
        guard let value = self["extra"] else { return [:] }
        guard case .object(let extra) = value else { throw MemberFailure("extra", "must be an object") }
        var parameters: [String: S3Parameters.Value] = [:]
        for member in extra {
            let name = String(decoding: member.name, as: UTF8.self)
            guard S3Parameters.names.contains(name) else { throw Self.unknownParameter(name) }
            parameters[name] = try Self.parameter(member.value, "extra.\(name)")
        }
        return parameters
    }

    private static func unknownParameter(_ name: String) -> MemberFailure {
        let member = name.prefix(1).lowercased() + name.dropFirst()
        let hint =
            line.contains(member)
            ? "; set the field `\(member)` of the line instead" : Suggestion.text(for: name, among: S3Parameters.names)
        return MemberFailure("extra.\(name)", "unknown parameter of S3" + hint)
    }

    private static func parameter(_ value: JSONValue, _ field: String) throws(MemberFailure) -> S3Parameters.Value {
        switch value {
        case .string(let text): return .string(String(decoding: text, as: UTF8.self))
        case .boolean(let value): return .boolean(value)
        case .number:
            guard let integer = value.integer else { throw MemberFailure(field, "must be a whole number") }
            return .integer(Int(integer))
        case .object(let members):
            var map: [String: String] = [:]
            for member in members {
                guard let text = member.value.string else { throw MemberFailure(field, "must be an object of strings") }
                map[String(decoding: member.name, as: UTF8.self)] = String(decoding: text, as: UTF8.self)
            }
            return .map(map)
        case .array, .null: throw MemberFailure(field, "must be a string, a number, true, false or an object")
        }
    }
}
