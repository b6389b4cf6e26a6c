import ArgumentParser
import PresignService
import Presigning
import Requests
import ServiceRuntime

/// The options for settings of an upload and for the version of a download, named as the fields of `POST /presign`.
struct ObjectSettingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("An entry of the object's metadata; repeatable.", valueName: "name=value"),
        transform: NamedValue.init)
    var metadata: [NamedValue] = []
    @Option(
        name: .customLong("tag"), help: ArgumentHelp("A tag of the object; repeatable.", valueName: "name=value"),
        transform: NamedValue.init)
    var tags: [NamedValue] = []
    @Option(help: "The Cache-Control of the object.") var cacheControl: String?
    @Option(help: "The Content-Disposition of the object.") var contentDisposition: String?
    @Option(help: "The Content-Encoding of the object.") var contentEncoding: String?
    @Option(help: "The Content-Language of the object.") var contentLanguage: String?
    @Option(help: "The storage class of the object, such as STANDARD_IA.") var storageClass: String?
    @Option(help: "The encryption of the object: AES256 or aws:kms.") var serverSideEncryption: String?
    @Option(help: "The KMS key that encrypts the object.") var kmsKeyId: String?
    @Option(help: "Who can read the object: private, public-read or bucket-owner-full-control.") var acl: String?
    @Option(help: "The checksum algorithm of a multipart upload, such as SHA256; only when it is created.")
    var checksumAlgorithm: String?
    @Option(help: "The version of the object to download.") var versionId: String?

    /// Whether no option is given.
    var isEmpty: Bool {
        UploadSetting.Name.allCases.allSatisfy { values(of: $0).isEmpty } && checksumAlgorithm == nil
            && versionId == nil
    }

    /// Returns the given values of a setting, with the names of its entries if it has entries.
    private func values(of name: UploadSetting.Name) -> [(entry: String?, value: String)] {
        func single(_ value: String?) -> [(entry: String?, value: String)] { value.map { [(nil, $0)] } ?? [] }
        return switch name {
        case .metadata: metadata.map { ($0.name, $0.value) }
        case .tagging: tags.map { ($0.name, $0.value) }
        case .cacheControl: single(cacheControl)
        case .contentDisposition: single(contentDisposition)
        case .contentEncoding: single(contentEncoding)
        case .contentLanguage: single(contentLanguage)
        case .storageClass: single(storageClass)
        case .serverSideEncryption: single(serverSideEncryption)
        case .kmsKeyId: single(kmsKeyId)
        case .acl: single(acl)
        }
    }

    /// Returns the settings of the upload.
    ///
    /// - Throws: `ProgramFailure` for an invalid value.
    func settings() throws(ProgramFailure) -> [UploadSetting] {
        do throws(FieldFailure) {
            var settings: [UploadSetting] = []
            for name in UploadSetting.Name.allCases {
                for (entry, value) in values(of: name) {
                    settings.append(
                        try UploadSetting(name, entry: entry.map { Array($0.utf8) }, checking: Array(value.utf8)))
                }
            }
            return settings
        } catch {
            throw ProgramFailure(.usage, error.description)
        }
    }
}

/// `NAME=VALUE` on the command line.
struct NamedValue: Equatable {
    let name: String
    let value: String

    init(_ text: String) throws(ValidationError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { throw ValidationError("it must be NAME=VALUE") }
        (name, value) = (String(parts[0]), String(parts[1]))
    }
}
