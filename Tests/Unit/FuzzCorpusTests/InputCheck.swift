/// What must hold of any bytes at all; the fuzzers look for bytes of which it does not.
struct InputCheck: Sendable {
    /// The folder of its corpus.
    let name: String
    /// What is wrong, for a person; nil when all is well.
    let fault: @Sendable (_ input: [UInt8]) -> String?

    static let all = [
        InputCheck(name: "JSON", fault: JSONCheck.fault), InputCheck(name: "Form", fault: FormCheck.fault),
        InputCheck(name: "Path", fault: PathCheck.fault), InputCheck(name: "Batch", fault: BatchCheck.fault),
        InputCheck(name: "Rules", fault: RuleCheck.fault), InputCheck(name: "Token", fault: ForgedTokenCheck.fault),
    ]

    static func named(_ name: String) -> InputCheck? { all.first { $0.name == name } }
}
