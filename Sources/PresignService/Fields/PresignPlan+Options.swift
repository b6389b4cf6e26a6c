import AccessRules
import Presigning
import Text

extension PresignPlan {
    /// Adds what the deciding rule signs into every request.
    mutating func add(_ allowance: AccessDecision.Allowance, to fields: PresignFields) {
        if allowance.requiresIfNoneMatch, fields[.ifNoneMatch] == nil { headers.append(("if-none-match", "*")) }
        if let algorithm = allowance.checksumAlgorithm {
            headers.append(("x-amz-checksum-algorithm", algorithm.name))
        }
        settings += allowance.settings
    }
}

extension [FieldFailure] {
    /// Checks the settings of an upload.
    mutating func checkSettings(of fields: PresignFields, for operation: AWSS3SigningOperation) {
        if fields.settings.isEmpty { return }
        guard operation == .putObject || operation == .createMultipartUpload else {
            let names = UploadSetting.Name.allCases.filter { name in fields.settings.contains { $0.name == name } }
            self += names.map {
                FieldFailure(
                    $0.rawValue, "is allowed only with PUT of a whole object and when creating a multipart upload")
            }
            return
        }
        do throws(InvalidUploadSetting) {
            try UploadSetting.check(fields.settings)
        } catch {
            append(FieldFailure(error))
        }
    }

    /// Checks the fields that belong to one kind of operation and have few values.
    mutating func checkOptions(of fields: PresignFields, for operation: AWSS3SigningOperation) {
        if let algorithm = fields[.checksumAlgorithm] {
            if operation != .createMultipartUpload {
                append(FieldFailure("checksumAlgorithm", "is allowed only when creating a multipart upload"))
            }
            if ChecksumAlgorithm(name: algorithm) == nil {
                let names = ChecksumAlgorithm.allCases.map(\.name).alternatives
                append(FieldFailure("checksumAlgorithm", "must be \(names)"))
            }
        }
        let isRead = operation == .getObject || operation == .headObject
        if let mode = fields[.checksumMode] {
            if !isRead {
                append(FieldFailure("checksumMode", "is allowed only with GET and HEAD of an object"))
            }
            if mode != "ENABLED" { append(FieldFailure("checksumMode", "must be ENABLED")) }
        }
        if let version = fields[.versionId] {
            if !isRead { append(FieldFailure("versionId", "is allowed only with GET and HEAD of an object")) }
            if !(1...1024 ~= version.utf8.count) || version.utf8.contains(where: ASCII.isControl) {
                append(FieldFailure("versionId", "must have 1 to 1024 bytes and no control characters"))
            }
        }
    }
}
