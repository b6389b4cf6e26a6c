import DataFormats
import Presigning

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

    /// What is wrong with a field that it does not accept.
    private var unknownField: String {
        switch self {
        case .body, .item, .line: "unknown field"
        case .query: "unknown parameter; a link accepts store, expiresIn and the response overrides"
        case .permissions: "unknown parameter; this route accepts path and store"
        }
    }

    /// The error for a field that it does not accept.
    ///
    /// - Parameter suggests: whether to look for the nearest name.
    func refusal(
        of known: PresignFieldName?, _ name: ArraySlice<UInt8>, suggests: Bool
    ) -> FieldFailure {
        if let known, self == .line { return FieldFailure(known.rawValue, "needs the service; omit it") }
        let given = String(decoding: name.prefix(64), as: UTF8.self)
        guard !given.isEmpty else { return FieldFailure("", "the name of a field is empty" + fieldList) }
        let names = suggests ? PresignFieldName.allCases.filter(accepts).map(\.rawValue) : []
        let suggestion = Suggestion.text(for: given, among: names)
        return FieldFailure(given, unknownField + (suggestion.isEmpty ? fieldList : suggestion))
    }

    /// Added to the error if no field has a similar name.
    private var fieldList: String { isWhole ? "; GET /openapi.yaml lists the fields" : "" }
}
