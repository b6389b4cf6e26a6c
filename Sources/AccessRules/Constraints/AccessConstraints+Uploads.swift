package import Presigning
import Requests

extension AccessConstraints {
    /// How a request does not meet a required checksum.
    func unmet(_ required: ChecksumAlgorithm, by request: PresignRequest) -> UnmetConstraint? {
        switch request.step {
        case nil where request.action == .write, .part: request.checksum == required ? nil : .checksum(required)
        case .create:
            request.partChecksum ?? required == required ? nil : .checksumAlgorithm(required)
        case nil, .list, .complete, .abort: nil
        }
    }

    /// What rules out every HTML form: without a maximum size its policy bounds nothing, and it can always replace an
    /// object.
    var unmetByForm: [UnmetConstraint] {
        (maximumSize == nil ? [.formOfAnySize] : []) + (overwrite == false ? [.formReplacesObject] : [])
    }

    /// The settings that the rule does not let callers choose. A value that the rule itself sets may be repeated.
    func unaccepted(of settings: [UploadSetting]) -> [UnmetConstraint] {
        settings.filter { setting in
            !setting.name.describesContent && !(accept?.contains(setting.name) ?? false)
                && !(set?.contains { $0.concernsSame(as: setting) } ?? false)
        }.map { .unacceptedSetting($0) }
    }

    /// An access control list that the rule sets for an upload whose sender cannot see it: through a share link, or with
    /// Git LFS.
    func unshareable(by request: PresignRequest) -> [UnmetConstraint] {
        guard request.share != nil || request.isContentAddressed, set?.contains(where: { $0.name == .acl }) == true
        else { return [] }
        return [.unshareableACL]
    }

    /// The settings with another value than the rule sets, or what does not fit together with the rule's values.
    func contradictions(in settings: [UploadSetting]) -> [UnmetConstraint] {
        guard let set else { return [] }
        let contradictions: [UnmetConstraint] = settings.compactMap { setting in
            set.first { $0.concernsSame(as: setting) && $0 != setting }.map { .contradictedSetting(required: $0) }
        }
        guard contradictions.isEmpty else { return contradictions }
        do throws(InvalidUploadSetting) {
            try UploadSetting.check(settings + set.filter { !settings.contains($0) })
            return []
        } catch {
            return [.excessiveSettings(error)]
        }
    }
}

/// The limits of a multipart upload whose rule has `partSize`.
///
/// No combination of allowed parts is larger than `maxSize`: part n may end at most at `maxSize` if each part before it
/// has `partSize` bytes, and two parts of an object never have the same number.
extension AccessConstraints {
    /// The limits that a part does not meet; empty for requests other than uploading a part.
    func unmetByPart(of request: PresignRequest) -> [UnmetConstraint] {
        guard request.step == .part, let partSize else { return [] }
        let most = Int64(S3Limits.partNumbers.upperBound)
        let last = maximumSize.map { min($0 / partSize + 1, most) } ?? most
        guard let number = request.partNumber, 1...last ~= number else {
            return [.partNumber(request.partNumber, maximum: last)]
        }
        let rest = maximumSize.map { $0 - (number - 1) * partSize } ?? partSize
        let maximum = min(partSize, rest)
        guard let length = request.contentLength, 0...maximum ~= length else {
            return [.partLength(request.contentLength, number: number, maximum: maximum)]
        }
        return []
    }
}

extension AccessConstraints {
    /// Compares a request with the maximum lifetime of share links in seconds.
    func unmet(_ maximum: Int64?, by share: ShareUse?) -> [UnmetConstraint] {
        guard let share, share.limited > maximum ?? 0 || maximum ?? 0 == 0 else { return [] }
        return [.share(share.limited, maximum: maximum ?? 0)]
    }

    /// The maximum lifetime in seconds of share links for an action; 0 if they are not allowed.
    package func shareLifetime(for action: AccessAction) -> Int64 {
        switch action {
        case .get: shareReads ?? 0
        case .write: shareWrites ?? 0
        case .list, .delete, .multipart: 0
        }
    }
}
