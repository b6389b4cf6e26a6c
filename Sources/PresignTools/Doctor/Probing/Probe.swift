/// A check: the requests that find out whether a guarantee is enforced, and the judgement of their responses.
package struct Probe: Sendable {
    /// Sends the requests and returns their responses in order.
    package typealias Run = @Sendable (inout DoctorSession) throws(DoctorStop) -> [Reply]

    package let guarantee: Guarantee
    /// The web origin that it is checked for; nil if it does not depend on one.
    package let origin: String?
    /// Guarantees without which it is not possible.
    package let needs: [Guarantee]
    /// Whether it writes objects.
    package let writes: Bool
    package let run: Run
    /// Judges the responses. A pure function.
    package let judge: @Sendable ([Reply]) -> Verdict

    init(
        _ guarantee: Guarantee, origin: String? = nil, needs: [Guarantee] = [], writes: Bool = false,
        run: @escaping Run,
        judge: @escaping @Sendable ([Reply]) -> Verdict
    ) {
        (self.guarantee, self.origin, self.needs, self.writes) = (guarantee, origin, needs, writes)
        (self.run, self.judge) = (run, judge)
    }

    /// A check that writes objects and thus needs PUT and DELETE.
    static func writing(
        _ guarantee: Guarantee, needs: [Guarantee] = [.put], run: @escaping Run,
        judge: @escaping @Sendable ([Reply]) -> Verdict
    ) -> Probe {
        Probe(guarantee, needs: needs, writes: true, run: run, judge: judge)
    }
}

extension [Reply] {
    /// Judges the only response.
    func only(_ judge: (Reply) -> Verdict) -> Verdict { first.map(judge) ?? .notPossible("no response") }
}
