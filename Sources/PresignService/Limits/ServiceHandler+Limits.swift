import HTTPServing

extension ServiceHandler {
    /// Counts one request of a caller, or one item of its batch; refused when its limit is used up.
    func admit(_ caller: Caller, _ record: inout RequestRecord) throws(Problem) {
        let use = service.limits.take(for: caller, from: record.client, under: snapshot.limits, at: record.started)
        if let use { try admit(use, &record) }
    }

    /// Refuses a caller that has used up its limit before more of its request is received or decoded; counts nothing.
    func checkLimit(of caller: Caller, _ record: inout RequestRecord) throws(Problem) {
        let use = service.limits.take(
            for: caller, from: record.client, under: snapshot.limits, at: record.started, counts: false)
        if let use { try admit(use, &record) }
    }

    /// Refuses to look at credentials from an address that has used up its failures.
    func admitCredentials(from client: PeerAddress, _ record: inout RequestRecord) throws(Problem) {
        let use = service.limits.look(atFailuresFrom: client, under: snapshot.limits, at: record.started)
        if let use, !use.use.isAllowed { try admit(use, &record) }
    }

    /// Counts credentials that proved nothing.
    func countFailure(from client: PeerAddress, _ record: borrowing RequestRecord) {
        service.limits.countFailure(from: client, under: snapshot.limits, at: record.started)
    }

    private func admit(_ use: QuotaUse, _ record: inout RequestRecord) throws(Problem) {
        let isShown = snapshot.limits.showsHeaders
        if isShown { record.quota = use }
        guard use.use.isAllowed else {
            shard.noteLimit(use.policy)
            throw .rateLimited(use, isShown: isShown)
        }
    }
}

extension HTTPHeaders {
    /// Whether there is anything that says who calls.
    var haveCredentials: Bool { contains(.authorization) || contains(.apiKey) }
}
