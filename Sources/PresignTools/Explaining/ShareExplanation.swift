import AccessRules
package import PresignService
package import Presigning
package import Requests

/// What a share link holds, and whether it can be used now. For the operator, never for callers.
package struct ShareExplanation: Sendable {
    /// The explanation as text, in lines without control characters.
    package let lines: [String]
    /// Whether a use is redirected.
    package let isUsable: Bool

    /// Explains a link as the service would decide its use.
    ///
    /// - Parameters:
    ///   - link: the whole link, or its token.
    ///   - upload: declares what an upload would declare; ignored for a link for downloads.
    ///   - read: returns the content of a file.
    /// - Returns: nil if no share keys are configured.
    /// - Throws: if a key file cannot be used.
    package init?(
        of link: String, declaring upload: (inout PresignRequest) -> Void, in configuration: ServiceConfiguration,
        at time: SigningTime, read: (String) throws -> [UInt8]
    ) throws {
        guard let links = try ShareLinks(configuration.shares, configuration.authentication, read: read) else {
            return nil
        }
        let token = Array((link.split(separator: "/").last ?? "").utf8.prefix { $0 != UInt8(ascii: "?") })
        var lines: [String] = []
        do throws(Refusal) {
            let opened = try links.open(token[...])
            lines = opened.lines
            let share = opened.share
            let minter = try links.minter(of: opened, at: time)
            var request = PresignRequest(
                caller: minter, action: share.isUpload ? .write : .get, path: share.path, store: share.store)
            request.share = .use(
                age: share.created.seconds(until: time), remaining: time.seconds(until: share.expires))
            if share.isUpload { upload(&request) }
            let verdict = RuleVerdict.of(
                configuration.policy.decision(for: request), on: request,
                for: configuration.stores.storages[share.store])
            lines += configuration.policy.explanation(for: request).lines(verdict)
            isUsable = verdict.isAllowed
        } catch {
            lines.append("refused (\(error.problem.status)): \(error.reason)")
            isUsable = false
        }
        self.lines = lines.map(\.printable)
    }
}

extension ShareLinks.Opened {
    fileprivate var lines: [String] {
        let minter = share.minter
        let details =
            minter.groups.map { "group \(String(decoding: $0, as: UTF8.self))" }
            + minter.claims.map {
                "claim \(String(decoding: $0.name, as: UTF8.self))=\(String(decoding: $0.value, as: UTF8.self))"
            }
        let made = [String(decoding: minter.label, as: UTF8.self)] + details
        let limits = [
            share.types.map { "the type \($0)" }, share.maximumSize.map { "at most \($0) bytes" },
            share.keepsExisting ? "no existing object" : nil,
        ].compactMap(\.self)
        return [
            "link \(String(decoding: id, as: UTF8.self)), sealed with the key \(String(decoding: keyID, as: UTF8.self))",
            "  holds   \(share.isUpload ? "PUT" : "GET") \(String(decoding: share.path, as: UTF8.self)) in \(share.store)",
            "  made    \(share.created) by \(made.joined(separator: ", "))", "  until   \(share.expires)",
        ] + (limits.isEmpty ? [] : ["  accepts \(limits.joined(separator: ", "))"])
    }
}
