@testable import AccessRulesTestSupport

/// `PUT` of a plain link with what a decision is about, and how the independent interpreter judges it.
struct LinkUpload: Sendable {
    let target: String
    /// By name in lower case.
    let headers: [String: String]

    /// Nil for other operations, and for requests with settings, which a link takes from the rule only.
    ///
    /// - Parameter isCreation: whether the client sends `If-None-Match: *`.
    init?(_ request: DecisionRequest, isCreation: Bool) {
        let naive = request.naive
        guard naive.action == "write", !naive.isForm, naive.share == nil, !naive.hasStorageClass, naive.cache == nil,
            naive.acl == nil
        else { return nil }
        target = request.linkTarget(keeping: ["store", "expiresIn"])
        var headers = ["content-length": naive.length.map { "\($0)" }, "content-type": naive.type]
        headers["x-amz-checksum-sha256"] = naive.hasChecksum ? DecisionRequest.digest : nil
        headers["if-none-match"] = isCreation ? "*" : nil
        self.headers = headers.compactMapValues { $0 }
    }

    var headerLines: [String] { headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } }

    /// The status of the response: a redirect adds no headers, and too large a file gets 413.
    func status(for verdict: NaivePolicy.Verdict) -> Int {
        switch verdict.status {
        case 200:
            let isIncomplete =
                verdict.isAdding == true || verdict.addsList == true
                || (verdict.ifNoneMatch == true && headers["if-none-match"] == nil)
            return isIncomplete ? 422 : 307
        case 422 where verdict.fields.contains("contentLength") && headers["content-length"] != nil: return 413
        default: return verdict.status
        }
    }
}
