import AccessRules
import DataFormats
import Presigning

extension PresignFields {
    /// Decodes a JSON body.
    ///
    /// - Parameters:
    ///   - text: the whole body, or one item of a batch
    ///   - source: which of the two, for errors
    ///   - limit: the maximum size of the text, in bytes
    /// - Throws: `Problem` 400 that names every invalid field.
    package init(
        json text: ArraySlice<UInt8>, from source: PresignFieldSource = .body, limit: Int = JSONLimits().size
    ) throws(Problem) {
        guard !text.isEmpty else {
            throw .validation([
                FieldFailure("", "the \(source.rawValue) is empty; send a JSON object with the field `path`")
            ])
        }
        self.init()
        var decoder = PresignFieldDecoder(from: source)
        do throws(SyntaxError) {
            var reader = try JSONReader(text, limits: JSONLimits(size: limit))
            try decoder.add(&reader, to: &self)
            try reader.end()
        } catch {
            throw .malformed(source, error)
        }
        try decoder.check(self)
    }

    /// Decodes a form.
    ///
    /// - Throws: `Problem` 400 that names every invalid field.
    package init(form body: ArraySlice<UInt8>) throws(Problem) {
        try self.init(Self.formFields(body, .body), from: .body)
    }

    /// Decodes a link. The path comes from the request target and the method from the request; the query may set the
    /// lifetime, the store, and response overrides.
    ///
    /// - Parameter path: the object's path, percent-encoded.
    /// - Throws: `Problem` 400 that names every invalid parameter.
    package init(
        link path: ArraySlice<UInt8>, method: Method, query: ArraySlice<UInt8>?
    ) throws(Problem) {
        guard path.count <= 3 * ObjectKeyCheck.maximumLength else { throw .invalidPath(.tooLong) }
        guard let path = PercentEncoding.decode(path), (try? UTF8Span(validating: path.span)) != nil else {
            throw .validation([FieldFailure("path", "must be percent-encoded UTF-8")])
        }
        try self.init(Self.formFields(query ?? [], .query), from: .query)
        self.path = path
        hasPath = true
        self.method = method
    }

    /// Decodes the query of `GET /permissions`, in which the path is optional.
    ///
    /// - Throws: `Problem` 400 that names every invalid parameter.
    package init(permissions query: ArraySlice<UInt8>?) throws(Problem) {
        try self.init(Self.formFields(query ?? [], .permissions), from: .permissions)
    }

    private init(_ fields: [Field], from source: PresignFieldSource) throws(Problem) {
        self.init()
        var decoder = PresignFieldDecoder(from: source)
        for field in fields { decoder.add(field, to: &self) }
        try decoder.check(self)
    }

    private static func formFields(
        _ text: ArraySlice<UInt8>, _ source: PresignFieldSource
    ) throws(Problem) -> [Field] {
        do throws(SyntaxError) {
            return try FormReader.fields(of: text)
        } catch {
            throw .malformed(source, error)
        }
    }
}

/// The part of a request that its fields come from.
package enum PresignFieldSource: String, Sendable {
    /// A JSON or form body.
    case body
    /// An item of a batch.
    case item
    /// A line of `presign url --batch`.
    case line
    /// The query of a plain link.
    case query
    /// The query of `GET /permissions`.
    case permissions = "query string"

    /// Whether the fields must have a path. That of a link is not one of its fields.
    var requiresPath: Bool { isWhole }

    /// Whether all fields of a request can be there.
    private var isWhole: Bool { self == .body || self == .item || self == .line }

    func accepts(_ name: PresignFieldName) -> Bool {
        switch self {
        case .body, .item: true
        case .line: !Self.serviceFields.contains(name)
        case .query:
            switch name {
            case .plain(.store), .plain(.expiresIn), .override: true
            case .plain, .setting: false
            }
        case .permissions: name == .plain(.store) || name == .plain(.path)
        }
    }

    /// The fields that need the service.
    private static let serviceFields: [PresignFieldName] = [
        .plain(.store), .plain(.share), .plain(.form), .plain(.successStatus), .plain(.successRedirect),
        .plain(.validateObjectExistence),
    ]

    /// The error for a field that it does not accept.
    var unknownField: String {
        switch self {
        case .body, .item, .line: "unknown field"
        case .query: "unknown parameter; a link accepts store, expiresIn and the response overrides"
        case .permissions: "unknown parameter; this route accepts path and store"
        }
    }

    /// Added to the error if no field has a similar name.
    var fieldList: String { isWhole ? "; GET /openapi.yaml lists the fields" : "" }
}

extension Problem {
    /// 400: a syntax error. Names a duplicate field; no other reason quotes the request.
    fileprivate static func malformed(_ source: PresignFieldSource, _ error: SyntaxError) -> Problem {
        var reason = "\(error)"
        if case .duplicateName(let name) = error.reason {
            reason = "duplicate field \"\(String(decoding: name.prefix(64), as: UTF8.self))\", at byte \(error.offset)"
        }
        return .validation([FieldFailure("", "the \(source.rawValue) is malformed: \(reason)")])
    }
}
