/// A property that must hold for every input; the fuzzers search for inputs that violate it.
struct InputCheck: Sendable {
    /// The name of its corpus directory.
    let name: String
    /// A description of the violation; nil if the property holds.
    let fault: @Sendable (_ input: [UInt8]) -> String?

    static let all = [
        InputCheck(name: "JSON", fault: JSONCheck.fault), InputCheck(name: "Form", fault: FormCheck.fault),
        InputCheck(name: "Path", fault: PathCheck.fault), InputCheck(name: "Batch", fault: BatchCheck.fault),
        InputCheck(name: "Rules", fault: RuleCheck.fault), InputCheck(name: "Token", fault: ForgedTokenCheck.fault),
    ]

    static func named(_ name: String) -> InputCheck? { all.first { $0.name == name } }
}
