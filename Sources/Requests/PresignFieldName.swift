import Presigning
import Text

/// The name of a field of a request.
///
/// The names of upload settings and response overrides are those of the types that the rules use, so that a request can
/// name everything that a rule can.
enum PresignFieldName: Hashable, Sendable {
    /// A field that exists once.
    enum Plain: String, CaseIterable, Sendable {
        case path, key, method, expiresIn, validateObjectExistence, useAccelerateEndpoint, contentLength, partNumber
        case store, contentType, checksumSHA256, ifNoneMatch, uploadId
        case prefix, delimiter, maxKeys, continuationToken, startAfter
        case checksumAlgorithm, checksumMode, versionId, share
        case form, successStatus, successRedirect
    }

    case plain(Plain)
    case override(ResponseOverride)
    case setting(UploadSetting.Name)
}

extension PresignFieldName: CaseIterable {
    /// All names, in the order in which errors suggest them.
    static let allCases =
        Plain.allCases.map(Self.plain) + ResponseOverride.allCases.map(Self.override)
        + UploadSetting.Name.allCases.map(Self.setting)
}

extension PresignFieldName: RawRepresentable {
    /// The name in a request.
    var rawValue: String {
        switch self {
        case .plain(let name): name.rawValue
        case .override(let override): override.rawValue
        case .setting(let setting): setting.rawValue
        }
    }

    /// Creates the field with exactly this name; nil for an unknown name.
    init?(rawValue: String) {
        guard let index = Self.index(of: Array(rawValue.utf8)[...]) else { return nil }
        self = Self.allCases[index]
    }

    /// Whether the field has any number of named entries.
    var hasEntries: Bool { if case .setting(let name) = self { name.hasEntries } else { false } }

    /// Returns the index in `allCases` of the field with exactly this name; nil for an unknown name.
    static func index(of bytes: ArraySlice<UInt8>) -> Int? {
        let name = bytes.span
        let names = Self.names.span
        for index in names.indices where name.equals(names[index].span) { return index }
        return nil
    }

    private static let names = allCases.map { Array($0.rawValue.utf8) }
}

/// The fields that a request has, by their indices in `PresignFieldName.allCases`.
struct PresentFields: Sendable {
    private var bits: UInt64 = 0

    /// All of them.
    var names: [PresignFieldName] {
        PresignFieldName.allCases.enumerated().filter { bits & 1 << UInt64($0.offset) != 0 }.map(\.element)
    }

    /// Inserts a field. Returns false if it is already present.
    mutating func insert(_ index: Int) -> Bool {
        precondition(index < UInt64.bitWidth, "there are more field names than bits")
        let bit: UInt64 = 1 << UInt64(index)
        defer { bits |= bit }
        return bits & bit == 0
    }
}
