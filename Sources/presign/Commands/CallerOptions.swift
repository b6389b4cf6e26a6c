import ArgumentParser
import PresignTools
import Requests
import ServiceRuntime

/// The options of `presign explain` that describe the caller.
struct CallerOptions: ParsableArguments {
    @Flag(help: "A caller without credentials.") var guest = false
    @Option(help: ArgumentHelp("The API key with this id; that of serve --local is local.", valueName: "id"))
    var caller: String?
    @Option(help: ArgumentHelp("A client certificate with this name.", valueName: "name")) var certificate: String?
    @Option(help: ArgumentHelp("The identity in a token.", valueName: "id")) var identity: String?
    @Option(name: .customLong("group"), help: ArgumentHelp("A group in the token; repeatable.", valueName: "name"))
    var groups: [String] = []
    @Option(
        name: .customLong("claim"), help: ArgumentHelp("A claim in the token; repeatable.", valueName: "name=value"),
        transform: NamedValue.init)
    var claims: [NamedValue] = []

    private var isToken: Bool { identity != nil || !groups.isEmpty || !claims.isEmpty }
    private var kinds: Int { [guest, caller != nil, certificate != nil, isToken].count { $0 } }

    /// Whether no option is set.
    var isEmpty: Bool { kinds == 0 }

    func check() throws(ValidationError) {
        guard kinds == 1 else {
            throw ValidationError(
                "one caller is required: --guest, --caller ID, --certificate NAME, or a token with any of --identity,"
                    + " --group and --claim")
        }
    }

    /// Returns the caller; an API key has the identity and groups that the file gives it.
    func caller(in rules: PolicyFile) throws(ProgramFailure) -> Caller {
        if guest { return .guest }
        if let caller { return try reporting(errorsAs: .usage) { try rules.caller(ofKey: caller) } }
        if let certificate { return Caller(certificate: Array(certificate.utf8)) }
        return Caller(
            scheme: .jwt, identity: identity, groups: groups,
            claims: claims.map { Caller.Claim(name: $0.name, value: $0.value) })
    }
}
