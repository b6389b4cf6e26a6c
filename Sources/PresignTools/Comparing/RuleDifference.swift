import AccessRules
import DataFormats
import Presigning
package import Requests

/// A request that one file allows and the other refuses, or allows less.
package struct RuleDifference: Sendable {
    /// What the stricter file does with the request; what weighs most comes first.
    enum Change: Int {
        /// It refuses the request.
        case refused
        /// It signs `if-none-match`, so that no object is replaced.
        case keepsObjects
        /// It signs another setting of the object, or a checksum algorithm.
        case setsMore
        /// Its URLs live shorter.
        case expiresEarlier
        /// It has no links of `/o/` for the store.
        case offersNoLinks
    }

    /// What a finding is about; there is one finding for each.
    struct Key: Hashable {
        let lax: Int
        let action: AccessAction
        let isListing, isShare: Bool
        let causes: [String?]
        let grant: AccessRule.Grant?
    }

    /// The request.
    package let request: PresignRequest
    let change: Change
    let files: [PolicyFile]
    /// The index of the file that allows it.
    let lax: Int
    /// What each file decides.
    let verdicts: [RuleVerdict]

    /// Asks both files; nil unless the one at `lax` allows the request, and the other refuses it or allows less.
    init?(_ request: PresignRequest, of files: [PolicyFile], lax: Int) {
        let verdicts = files.map { $0.verdict(on: request) }
        guard verdicts[lax].isAllowed, let change = Self.change(request, files, lax, verdicts) else { return nil }
        (self.request, self.change, self.files, self.lax, self.verdicts) = (request, change, files, lax, verdicts)
    }

    private static func change(
        _ request: PresignRequest, _ files: [PolicyFile], _ lax: Int, _ verdicts: [RuleVerdict]
    ) -> Change? {
        let (allowed, other) = (verdicts[lax], verdicts[1 - lax])
        if !other.isAllowed { return .refused }
        if other.ifNoneMatch == true, allowed.ifNoneMatch != true { return .keepsObjects }
        if other.addedHeaders.contains(where: { header in !allowed.addedHeaders.contains { $0 == header } }) {
            return .setsMore
        }
        if request.expiresIn != nil, allowed.window ?? 0 > other.window ?? 0,
            allowed.totalLife > files[1 - lax].longestLife(of: request)
        {
            return .expiresEarlier
        }
        let stores = files.map { file in file.policy.index(ofStore: request.store).map { file.offersLinks(inStore: $0) }
        }
        let isPlain = request.share == nil && [.get, .write].contains(request.action)
        return isPlain && stores[lax] == true && stores[1 - lax] != true ? .offersNoLinks : nil
    }

    /// The line and column of the rule that allows it.
    var position: (Int, Int) { verdicts[lax].rule.map { ($0.position.line, $0.position.column) } ?? (0, 0) }

    var key: Key {
        let causes = verdicts.enumerated().map { file, verdict -> String? in
            if change == .offersNoLinks { return "/o/ \(request.store ?? "")" }
            return "\(verdict.reason ?? "") \(verdict.rule?.description ?? "")"
        }
        return Key(
            lax: lax, action: request.action, isListing: request.isListing, isShare: request.share != nil,
            causes: causes,
            grant: change == .offersNoLinks || request.isListing ? nil : verdicts[lax].grant)
    }

    /// The same difference with the smallest request.
    package func smallest() -> RuleDifference {
        var best = self
        func attempt(_ edit: (inout PresignRequest) -> Void) {
            var request = best.request
            edit(&request)
            if let smaller = RuleDifference(request, of: files, lax: lax), smaller.change == change {
                best = smaller
            }
        }
        for setting in request.settings { attempt { $0.settings.removeAll { $0 == setting } } }
        attempt { $0.responseOverrides = [] }
        attempt { $0.versionId = nil }
        attempt { $0.checksumAlgorithm = nil }
        attempt { $0.declare(nil) }
        attempt { $0.expiresIn = nil }
        attempt { $0.contentType = nil }
        attempt { $0.contentLength = nil }
        func differs(_ number: WritableKeyPath<PresignRequest, Int64?>, _ value: Int64) -> Bool {
            let request = best.request.with(number, value)
            return RuleDifference(request, of: files, lax: lax)?.change == change
        }
        let numbers: [WritableKeyPath<PresignRequest, Int64?>] = [
            \.expiresIn, \.contentLength, \.partNumber, \.shareAge,
        ]
        for number in numbers {
            guard let largest = best.request[keyPath: number] else { continue }
            // Both files allow each number that is smaller than the smallest one that makes a difference.
            var (low, high) = (min(1, largest), largest)
            while low < high {
                let middle = (low + high) / 2
                if differs(number, middle) { high = middle } else { low = middle + 1 }
            }
            attempt { $0[keyPath: number] = high }
        }
        return best
    }
}

extension PresignRequest {
    fileprivate func with(_ number: WritableKeyPath<PresignRequest, Int64?>, _ value: Int64) -> PresignRequest {
        var request = self
        request[keyPath: number] = value
        return request
    }

    /// The age in seconds of the share link that it uses.
    var shareAge: Int64? {
        get { if case .use(let age, _)? = share { age } else { nil } }
        set { share = newValue.map { .use(age: $0, remaining: 1) } }
    }
}

extension RuleVerdict {
    /// The seconds until the last URL of a window expires.
    fileprivate var totalLife: Int64 { (expiresIn ?? 0) + (window ?? 0) }
}

extension PolicyFile {
    /// The seconds that a URL for an allowed request lives at most, with the longest lifetime that is allowed.
    fileprivate func longestLife(of request: PresignRequest) -> Int64 {
        var (low, high) = (request.expiresIn ?? 1, Int64(ExpiryLimits.possible.upperBound))
        var life: Int64 = 0
        while low <= high {
            let middle = (low + high) / 2
            let verdict = verdict(on: request.with(\.expiresIn, middle))
            if verdict.isAllowed { low = middle + 1 } else { high = middle - 1 }
            if verdict.isAllowed { life = max(life, verdict.totalLife) }
        }
        return life
    }
}
