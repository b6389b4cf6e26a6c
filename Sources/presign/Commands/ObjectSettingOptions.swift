import ArgumentParser
import PresignService
import Presigning

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
    @Option(help: "The checksum algorithm of a multipart upload, such as SHA256; only when it is created.")
    var checksumAlgorithm: String?
    @Option(help: "The version of the object to download.") var versionId: String?

    /// Whether no option is given.
    var isEmpty: Bool {
        metadata.isEmpty && tags.isEmpty && texts.allSatisfy { $0.value == nil } && checksumAlgorithm == nil
            && versionId == nil
    }

    private var texts: [(name: UploadSetting.Name, value: String?)] {
        [
            (.cacheControl, cacheControl), (.contentDisposition, contentDisposition),
            (.contentEncoding, contentEncoding), (.contentLanguage, contentLanguage), (.storageClass, storageClass),
            (.serverSideEncryption, serverSideEncryption), (.kmsKeyId, kmsKeyId),
        ]
    }

    /// Returns the settings of the upload.
    ///
    /// - Throws: `CommandFailure` for an invalid value.
    func settings() throws(CommandFailure) -> [UploadSetting] {
        do throws(FieldFailure) {
            var settings: [UploadSetting] = []
            for (name, entries) in [(UploadSetting.Name.metadata, metadata), (.tagging, tags)] {
                for entry in entries {
                    settings.append(
                        try UploadSetting(name, entry: Array(entry.name.utf8), checking: Array(entry.value.utf8)))
                }
            }
            for case (let name, let value?) in texts {
                settings.append(try UploadSetting(name, checking: Array(value.utf8)))
            }
            return settings
        } catch {
            throw CommandFailure(.usage, error.description)
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
