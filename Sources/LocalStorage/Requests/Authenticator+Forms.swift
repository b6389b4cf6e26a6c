import Presigning

extension Authenticator {
    /// Throws unless the bucket exists, the form's policy is signed with the store's credentials, and the form meets the
    /// policy.
    ///
    /// - Returns: the policy's conditions, which bound the size of the file.
    func check(_ form: PostForm, to bucket: [UInt8], at time: SigningTime) throws(S3Error) -> FormConditions {
        guard regions[bucket] != nil else { throw .noSuchBucket(bucket) }
        // Without a policy the form is anonymous, and no bucket is public.
        guard let policy = form["policy"] else { throw S3Error(403, "AccessDenied", "Access Denied") }
        let verification: PresignedURLVerification
        do throws(PresignedURLParseFailure) {
            verification = verify(try ReceivedSignature(form: { form[$0] }), of: bucket, at: time)
        } catch {
            verification = error.verification
        }
        switch verification {
        case .valid: break
        case .expired, .notYetValid:
            throw S3Error(403, "AccessDenied", "Invalid according to Policy: x-amz-date is too far from now.")
        case .unknownAccessKey:
            throw .invalidAccessKeyID
        case .missing(let field):
            throw .invalidArgument(
                "Bucket POST must contain a field named '\(field)'.  If it is specified, please check the order of the "
                    + "fields.", name: field, value: [])
        case .malformed(let field, let reason):
            throw .invalidArgument("\(field): \(reason).", name: field, value: form[field] ?? [])
        case .tampered(.scope):
            throw .invalidArgument(
                "x-amz-credential: the region or the service is wrong; expecting '\(regions[bucket] ?? "")' and 's3'.",
                name: "x-amz-credential", value: form["x-amz-credential"] ?? [])
        case .tampered:
            throw .wrongSignature(
                "Check your key and signing method. The policy or the x-amz-date was changed, or another key signed it."
            )
        }
        let conditions = try FormConditions(policy: policy)
        try conditions.check(form, to: bucket, at: time)
        return conditions
    }
}
