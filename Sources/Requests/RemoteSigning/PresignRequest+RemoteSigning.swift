import Presigning
import Text

/// The parameters of a URL and the headers of a request, as fields of a presign request.
extension PresignRequest {
    /// Takes what the URL says, and selects the operation.
    ///
    /// - Throws: `InvalidRequest` with each parameter that the operation does not have.
    mutating func take(
        _ target: RemoteSignRequest.Target, _ method: Method, _ prefix: [UInt8]
    ) throws(InvalidRequest) {
        self.method = method
        hasPath = true
        hasPrefix = target.key.isEmpty
        if hasPrefix { self.encodesNames = false } else { path = try target.key.below(prefix) }
        var (failures, parameters): ([FieldFailure], Set<String>) = ([], [])
        for (name, value) in target.parameters {
            parameters.insert(name)
            do throws(FieldFailure) {
                if hasPrefix { try take(ofListing: name, value, prefix) } else { try take(ofObject: name, value) }
            } catch {
                failures.append(error)
            }
        }
        guard failures.isEmpty else { throw InvalidRequest(failures) }
        if hasPrefix {
            guard parameters.contains("list-type") else {
                throw InvalidRequest("uri", "must have `list-type=2`, or `delete` with POST, if it names no object")
            }
            if !parameters.contains("prefix") { path = try [UInt8]().below(prefix) }
        } else if method == .post, parameters.contains("uploads") == parameters.contains("uploadId") {
            throw InvalidRequest("uri", "must have either `uploads` or `uploadId` if POST names an object")
        }
        if method != .post, parameters.contains("uploads") {
            throw InvalidRequest([RemoteSignRequest.parameter("uploads", "is allowed only with POST")])
        }
        try selectOperation()
        let operation = traits.operation.name
        let id = target.parameters.first { $0.name == "x-id" }?.value
        guard id == nil || id == operation.prefix(1).uppercased() + operation.dropFirst() else {
            throw InvalidRequest([RemoteSignRequest.parameter("x-id", "must be the operation, \(operation)")])
        }
    }

    private mutating func take(ofObject name: String, _ value: String) throws(FieldFailure) {
        switch name {
        case "x-id": break
        case "uploads" where value.isEmpty: break
        case "uploadId": self.uploadId = value
        case "partNumber": self.partNumber = try Self.number(name, value)
        case "versionId": self.versionId = value
        default:
            guard let override = ResponseOverride.allCases.first(where: { $0.parameter == name }) else {
                throw RemoteSignRequest.parameter(name, "is not allowed")
            }
            responseOverrides.append((override, Array(value.utf8)))
        }
    }

    private mutating func take(
        ofListing name: String, _ value: String, _ prefix: [UInt8]
    ) throws(FieldFailure) {
        func below(_ key: String) throws(FieldFailure) -> [UInt8] {
            do throws(InvalidRequest) { return try Array(key.utf8).below(prefix) } catch {
                throw RemoteSignRequest.parameter(name, error.errors[0].detail)
            }
        }
        switch (name, value) {
        case ("x-id", _), ("list-type", "2"), ("delimiter", ""), ("start-after", ""), ("fetch-owner", "false"): break
        case ("prefix", _): path = try below(value)
        case ("encoding-type", "url"): self.encodesNames = true
        case ("delimiter", _): self.delimiter = value
        case ("max-keys", _): self.maxKeys = try Self.number(name, value)
        case ("continuation-token", _): self.continuationToken = value
        case ("start-after", _): self.startAfter = String(decoding: try below(value), as: UTF8.self)
        default: throw RemoteSignRequest.parameter(name, "is not allowed with this value in a listing")
        }
    }

    private static func number(_ name: String, _ text: String) throws(FieldFailure) -> Int64 {
        guard let number = Int(canonicalDecimal: text.utf8.span) else {
            throw RemoteSignRequest.parameter(name, "must be a whole number")
        }
        return Int64(number)
    }
}

extension PresignRequest {
    /// Takes what the headers say. The operation is selected.
    ///
    /// Every `x-amz-*` header is signed, because it changes what a storage does, or refused. Of the others those are
    /// signed that rules decide about; the rest, such as `range` or `user-agent`, only tell how to send the content.
    ///
    /// - Parameter headers: by name in lower case.
    /// - Throws: `InvalidRequest` with each header that cannot be signed.
    mutating func take(_ headers: [String: [UInt8]]) throws(InvalidRequest) {
        var failures: [FieldFailure] = []
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            do throws(FieldFailure) { try take(header: name, value) } catch { failures.append(error) }
        }
        guard failures.isEmpty else { throw InvalidRequest(failures) }
    }

    private mutating func take(header name: String, _ value: [UInt8]) throws(FieldFailure) {
        let text = String(decoding: value, as: UTF8.self)
        switch name {
        case "content-type": if traits.storesSettings { contentType = text }
        case "if-none-match": if traits.createsObject { ifNoneMatch = text }
        case "content-length" where traits.length == .body, "x-amz-mp-object-size" where traits.length == .object:
            guard let length = Int(canonicalDecimal: value.span) else {
                throw RemoteSignRequest.header(name, "must be a whole number of bytes")
            }
            contentLength = Int64(length)
        case ChecksumAlgorithm.sha256.header: checksumSHA256 = text
        case "x-amz-checksum-algorithm": self.checksumAlgorithm = text
        case "x-amz-checksum-mode": self.checksumMode = text
        case "x-amz-content-sha256" where value.elementsEqual("UNSIGNED-PAYLOAD".utf8): addNeutral(name, text)
        case _ where NeutralHeaders.contain(name): addNeutral(name, text)
        default:
            if traits.storesSettings, let added = try settings(name, value) { return settings += added }
            guard !name.utf8.starts(with: "x-amz-".utf8) else {
                throw RemoteSignRequest.header(name, NeutralHeaders.refusal(of: name, value))
            }
        }
    }

    private func settings(_ name: String, _ value: [UInt8]) throws(FieldFailure) -> [UploadSetting]? {
        do throws(InvalidUploadSetting) { return try UploadSetting.settings(of: name, value) } catch {
            throw RemoteSignRequest.header(name, error.reason)
        }
    }

    private mutating func addNeutral(_ name: String, _ value: String) {
        self.neutralHeaders = (self.neutralHeaders ?? []) + [(name, value)]
    }
}

/// Headers that are signed although no rule decides about them: they only let the storage check the content.
enum NeutralHeaders {
    static func contain(_ name: String) -> Bool {
        ["content-md5", "x-amz-sdk-checksum-algorithm", "x-amz-checksum-type"].contains(name)
            || ChecksumAlgorithm.allCases.contains { $0.header == name }
    }

    /// Returns why another `x-amz-*` header is refused.
    static func refusal(of name: String, _ value: [UInt8]) -> String {
        if name.utf8.starts(with: "x-amz-copy-source".utf8) {
            return "is not allowed, because no rule decides about the object that it reads"
        }
        let isStreaming = value.span.startsIgnoringCase(with: "streaming-")
        guard name == "x-amz-content-sha256" || name == "x-amz-trailer" || name == "x-amz-decoded-content-length" else {
            return "is not allowed; omit it"
        }
        return (isStreaming || name != "x-amz-content-sha256" ? "" : "must be UNSIGNED-PAYLOAD, or omitted; ")
            + "content in chunks is not signed; set AWS_REQUEST_CHECKSUM_CALCULATION=when_required for the AWS SDK"
    }
}
