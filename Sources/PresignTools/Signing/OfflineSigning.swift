package import PresignService
package import Presigning
import StorageCredentials

/// Signs one URL without the service: the same fields and the same plan, but no access rules.
package enum OfflineSigning {
    /// Signs a URL.
    ///
    /// - Parameters:
    ///   - fields: the request, with a `path`.
    ///   - defaults: the bucket and the credentials.
    /// - Throws: `FieldFailure` for a missing or invalid field.
    package static func url(
        _ fields: PresignFields, _ defaults: SigningDefaults, at time: SigningTime
    ) throws(FieldFailure) -> PresignResponse {
        guard let endpoint = defaults.endpoint else {
            throw FieldFailure("bucket", "is missing; pass --config, or --bucket and --region")
        }
        let path = fields.path
        do {
            let plan = try PresignPlan(fields)
            guard let credentials = try defaults.credentials[plan.operation.credentialRole].value() else {
                throw FieldFailure("credentials", "not found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
            }
            let task = plan.task(
                fields, key: StoragePath(bytes: path.isEmpty ? [] : defaults.prefix + path),
                in: try S3Bucket(endpoint), expiresIn: try defaults.lifetime(of: fields.expiresIn),
                window: defaults.window)
            var presigner = Presigner()
            let url = try task.url(with: credentials, at: time, using: &presigner)
            return PresignResponse(url: url, path: path, in: endpoint)
        } catch let problem as Problem {
            throw problem.errors.first ?? FieldFailure("", problem.detail)
        } catch let failure as FieldFailure {
            throw failure
        } catch {
            throw FieldFailure("", "\(error)")
        }
    }
}
