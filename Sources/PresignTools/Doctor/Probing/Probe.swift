/// A check: the requests that find out whether a guarantee is enforced, and the judgement of their responses.
package struct Probe: Sendable {
    /// Sends the requests and returns their responses in order.
    package typealias Run = @Sendable (inout DoctorSession) throws(DoctorStop) -> [Reply]

    /// Judges the responses. A pure function.
    package typealias Judge = @Sendable ([Reply]) -> Verdict

    package let guarantee: Guarantee
    /// The web origin that it is checked for; nil if it does not depend on one.
    package let origin: String?
    /// Guarantees without which it is not possible.
    package let needs: [Guarantee]
    /// Whether it writes objects.
    package let writes: Bool
    package let run: Run
    package let judge: Judge

    init(
        _ guarantee: Guarantee, origin: String? = nil, needs: [Guarantee] = [], writes: Bool = false,
        judge: @escaping Judge, run: @escaping Run
    ) {
        (self.guarantee, self.origin, self.needs, self.writes) = (guarantee, origin, needs, writes)
        (self.run, self.judge) = (run, judge)
    }

    /// A check that writes objects and thus needs PUT and DELETE. Unless judged otherwise, all changed requests must be
    /// refused.
    static func writing(
        _ guarantee: Guarantee, needs: [Guarantee] = [.put], judge: @escaping Judge = { .refusal(after: $0) },
        run: @escaping Run
    ) -> Probe {
        Probe(guarantee, needs: needs, writes: true, judge: judge, run: run)
    }
}

extension [Reply] {
    /// Judges the only response.
    func only(_ judge: (Reply) -> Verdict) -> Verdict { first.map(judge) ?? .notPossible("no response") }
}
