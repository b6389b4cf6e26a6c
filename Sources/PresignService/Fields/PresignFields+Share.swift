import AccessRules
import HTTP1
import Presigning

extension PresignFields {
    /// Checks the fields of a share link. It has no field that a redirect cannot honor.
    func checkShare(_ operation: AWSS3SigningOperation, _ failures: inout [FieldFailure]) {
        guard operation == .getObject || operation == .putObject else {
            failures.append(FieldFailure("share", "is allowed only with GET and PUT of an object"))
            return
        }
        let unsupported: [(PresignFieldName.Plain, Bool)] = [
            (.checksumSHA256, checksumSHA256 != nil), (.checksumAlgorithm, checksumAlgorithm != nil),
            (.checksumMode, checksumMode != nil), (.versionId, versionId != nil),
            (.validateObjectExistence, validateObjectExistence != nil),
            (.useAccelerateEndpoint, useAccelerateEndpoint != nil),
            (.form, isForm),
        ]
        let names =
            unsupported.filter(\.1).map(\.0.rawValue) + responseOverrides.map(\.0.rawValue)
            + settings.map(\.name.rawValue)
        failures += names.map { FieldFailure($0, "is not allowed with share; omit it") }
        if operation == .putObject, let contentType, MediaRange(contentType) == nil {
            failures.append(
                FieldFailure(
                    "contentType", "must be a type such as image/png, or a range such as image/*, without parameters"))
        }
        let possible = ShareRequest.possibleLifetimes
        if let expiresIn, !possible.contains(Int(expiresIn)) {
            failures.append(FieldFailure("expiresIn", "must be 1 to \(possible.upperBound) seconds (10 years)"))
        }
    }
}
