import DataFormats
import Presigning

extension PresignRequest {
    /// Decodes a JSON body.
    ///
    /// - Parameters:
    ///   - text: the whole body, or one item of a batch
    ///   - source: which of the two, for errors
    ///   - limit: the maximum size of the text, in bytes
    /// - Throws: `InvalidRequest` with every invalid field.
    package init(
        json text: ArraySlice<UInt8>, from source: PresignFieldSource = .body, limit: Int = JSONLimits().size
    ) throws(InvalidRequest) {
        guard !text.isEmpty else {
            throw InvalidRequest("", "the \(source.rawValue) is empty; send a JSON object with the field `path`")
        }
        self.init()
        var failures: [FieldFailure] = []
        do throws(SyntaxError) {
            var reader = try JSONReader(text, limits: JSONLimits(size: limit))
            try add(&reader, from: source, &failures)
            try reader.end()
        } catch {
            throw .malformed(source, error)
        }
        try checkDecoded(from: source, failures)
    }

    /// Decodes a form.
    ///
    /// - Throws: `InvalidRequest` with every invalid field.
    package init(form body: ArraySlice<UInt8>) throws(InvalidRequest) {
        try self.init(Self.formFields(body, .body), from: .body)
    }

    /// Decodes a link. The path comes from the request target; the query may set the lifetime, the store, and response
    /// overrides. The request's method decides about the rest.
    ///
    /// - Parameter path: the object's path, percent-encoded.
    /// - Throws: `InvalidRequest` with every invalid parameter.
    package init(link path: ArraySlice<UInt8>, query: ArraySlice<UInt8>?) throws(InvalidRequest) {
        guard path.count <= 3 * S3Limits.key else { throw InvalidRequest(.tooLong) }
        guard let path = PercentEncoding.decode(path), (try? UTF8Span(validating: path.span)) != nil else {
            throw InvalidRequest("path", "must be percent-encoded UTF-8")
        }
        try self.init(Self.formFields(query ?? [], .query), from: .query)
        self.path = path
        hasPath = true
    }

    /// Decodes the query of `GET /permissions`, in which the path is optional.
    ///
    /// - Throws: `InvalidRequest` with every invalid parameter.
    package init(permissions query: ArraySlice<UInt8>?) throws(InvalidRequest) {
        try self.init(Self.formFields(query ?? [], .permissions), from: .permissions)
    }

    private init(_ fields: [Field], from source: PresignFieldSource) throws(InvalidRequest) {
        self.init()
        var failures: [FieldFailure] = []
        for field in fields { add(field, from: source, &failures) }
        try checkDecoded(from: source, failures)
    }

    private static func formFields(
        _ text: ArraySlice<UInt8>, _ source: PresignFieldSource
    ) throws(InvalidRequest) -> [Field] {
        do throws(SyntaxError) {
            return try FormReader.fields(of: text)
        } catch {
            throw .malformed(source, error)
        }
    }
}

extension InvalidRequest {
    /// A syntax error. Names a duplicate field; no other reason quotes the request.
    fileprivate static func malformed(_ source: PresignFieldSource, _ error: SyntaxError) -> InvalidRequest {
        var reason = "\(error)"
        if case .duplicateName(let name) = error.reason {
            reason = "duplicate field \"\(String(decoding: name.prefix(64), as: UTF8.self))\", at byte \(error.offset)"
        }
        return InvalidRequest("", "the \(source.rawValue) is malformed: \(reason)")
    }
}
