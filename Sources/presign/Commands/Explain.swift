import ArgumentParser
import PresignTools
import Presigning
import Requests
import ServiceRuntime
import System

/// `presign explain`: decides a request by the access rules and prints the reasons.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain how the access rules decide a request.",
        usage: """
            presign explain --config <config> <caller> [<options>] <action> <path>
            presign explain --config <config> --batch
            presign explain --config <config> --share <link> [--content-type <type>]
            """,
        discussion: """
            Prints the decision, the deciding rule with its position in the file, each of
            its grants with the reason why it does not apply, and every limit that is not
            met. Callers of the service never see these details. Nothing is signed and no
            credentials are needed. The configuration can be a file with rules only (rules,
            deny, presets, groups, expires, stores).

            <caller> is --guest, --caller ID for an API key, --certificate NAME, or what a
            token says: any of --identity ID, --group NAME and --claim NAME=VALUE.

            With --batch each line of standard input is a JSON object {who, action, path,
            store, contentType, contentLength, checksum, expiresIn, step, partNumber}
            with the response... fields, settings of uploads, checksumAlgorithm and
            versionId of POST /presign. Each line of output is {status, rule, at, reason,
            fields, ...}, or {"error"} for an invalid line. `who` is null for a guest,
            {identity, groups, claims} for a token, {caller: ID} for an API key, or
            {certificate: NAME}.

            With --share it says what a share link holds and whether it can be used now;
            the configuration must have the link's key. A link is a credential, which
            other users can see in a list of processes: --share - reads it from standard
            input. --content-type and --content-length are those of an upload.

            Exit code 0 if the request is allowed, 1 if it is refused; with --batch 0, or
            65 if a line is invalid.

            EXAMPLES
              presign explain --config p.yaml --identity alice --group editors write a/x
              presign explain --config p.yaml --guest --store archive get backups/db
              presign explain --config p.yaml --caller web multipart a/b --step complete
              presign explain --config p.yaml --batch < questions.jsonl
              echo "$LINK" | presign explain --config p.yaml --share -
            """)

    @Option(help: "The YAML configuration file.", completion: .yaml) var config: String
    @OptionGroup(title: "The caller") var caller: CallerOptions
    @Flag(help: "Read JSON Lines from standard input.") var batch = false
    @Option(help: ArgumentHelp("Explain a share link, or - to read it from standard input.", valueName: "link"))
    var share: String?
    @Option(help: "The store (default: the default store).") var store: String?
    @Option(help: "The media type that an upload declares.") var contentType: String?
    @Option(help: "The size in bytes that an upload declares.") var contentLength: Int64?
    @Option(help: "The checksum that an upload declares: sha256.", transform: Explain.checksum)
    var checksum: ChecksumAlgorithm?
    @Option(
        help: "The requested lifetime of the URL: seconds, or a number with the unit s, m, h or d.",
        transform: DurationOption.seconds)
    var expiresIn: Int64?
    @Option(help: "The step of a multipart upload.") var step: MultipartStep?
    @Option(help: "The number of the part that the step part uploads.") var partNumber: Int64?
    @Option(
        name: .customLong("override"),
        help: ArgumentHelp(
            "A response header to override, such as responseContentType=text/html; repeatable.",
            valueName: "name=value"),
        transform: HeaderOverride.init)
    var overrides: [HeaderOverride] = []
    @OptionGroup(title: "Settings of the object") var object: ObjectSettingOptions
    @Argument(
        help: ArgumentHelp(
            "The requested action: \(AccessAction.allValueStrings.joined(separator: ", ")); or read, for get and list.",
            valueName: "action"),
        completion: .list(AccessAction.allValueStrings + ["read"]), transform: Explain.actions)
    var action: [AccessAction]?
    @Argument(help: "The object's path.") var path: String?

    /// Whether a request is described, apart from what an upload declares.
    private var describesRequest: Bool {
        !caller.isEmpty || store != nil || expiresIn != nil || step != nil || partNumber != nil || !overrides.isEmpty
            || !object.isEmpty || action != nil || path != nil
    }

    private func check() throws(ValidationError) {
        if share != nil {
            guard !batch, !describesRequest else {
                throw ValidationError(
                    "--share accepts no options but --config, --content-type, --content-length and --checksum")
            }
        } else if batch {
            guard !describesRequest, contentType == nil, contentLength == nil, checksum == nil else {
                throw ValidationError(
                    "--batch reads its requests from standard input and accepts no option other than --config")
            }
        } else {
            guard action != nil, path != nil else {
                throw ValidationError("an action and a path are required, or --batch")
            }
            try caller.check()
            guard step == nil || action == [.multipart] else {
                throw ValidationError("--step requires the action multipart")
            }
            guard partNumber == nil || step == .part else {
                throw ValidationError("--part-number requires --step part")
            }
        }
    }

    func run() throws {
        try check()
        if let share { return try explain(link: share) }
        let rules = try ConfigurationFile.rules(config)
        guard batch else { return try explain(rules) }
        var decider = LineDecider(rules)
        try JSONLines.run { decider.response(to: $0) }
        guard decider.failures == 0 else {
            throw ProgramFailure(.data, "\(count(decider.failures, "line")) could not be read")
        }
    }

    private func explain(link: String) throws {
        var link = link
        if link == "-" {
            var input = StandardInput()
            let line = try reporting(errorsAs: .system) { try input.nextLine() }
            link = String(decoding: line ?? [], as: UTF8.self)
        }
        let configuration = try ConfigurationFile.read(config)
        let explanation = try reporting(errorsAs: .configuration) {
            try ShareExplanation(
                of: link,
                declaring: { request in
                    request.contentType = contentType
                    request.contentLength = contentLength
                    request.declare(checksum)
                }, in: configuration, at: SigningTime(secondsSince1970: WallClock.seconds()),
                read: { try ReadableFile.contents(of: $0) })
        }
        guard let explanation else {
            throw ProgramFailure(.configuration, "\(config): there are no share keys; add `shares.keys`")
        }
        try printLines(explanation.lines)
        guard explanation.isUsable else { throw ProgramFailure.refusal }
    }

    private func explain(_ rules: PolicyFile) throws {
        var isAllowed = true
        // A folder can only be listed.
        let isFolder = path.map { $0.isEmpty || $0.hasSuffix("/") } ?? false
        let actions = action.map { $0.count > 1 && isFolder ? [.list] : $0 } ?? []
        for action in actions {
            guard let request = try request(action, in: rules) else { return }
            let verdict = rules.verdict(on: request)
            let lines =
                rules.policy.explanation(for: request).lines(verdict)
                + [rules.remoteLine(for: request)].compactMap(\.self)
            try printLines(actions.count > 1 ? ["\(action.name):"] + lines : lines)
            isAllowed = isAllowed && verdict.isAllowed
        }
        guard isAllowed else { throw ProgramFailure.refusal }
    }

    /// Returns the request that the options describe; nil without a path.
    private func request(_ action: AccessAction, in rules: PolicyFile) throws(ProgramFailure) -> PresignRequest? {
        guard let path else { return nil }
        let stores = rules.storeNames
        if let store, !stores.contains(where: { $0.utf8.elementsEqual(store.utf8) }) {
            throw ProgramFailure(
                .usage,
                "--store: unknown store `\(store)`"
                    + (stores.isEmpty ? "" : "; the stores are \(stores.joined(separator: ", "))"))
        }
        var request = PresignRequest(
            caller: try caller.caller(in: rules), action: action, step: step, path: Array(path.utf8), store: store)
        request.contentType = contentType
        request.contentLength = contentLength
        request.declare(checksum)
        request.expiresIn = expiresIn
        request.partNumber = partNumber
        request.settings = try object.settings()
        request.checksumAlgorithm = try object.checksumAlgorithm.map { text throws(ProgramFailure) in
            return try reporting(errorsAs: .usage) { try ChecksumAlgorithm(declaredForParts: text).name }
        }
        request.versionId = object.versionId
        request.responseOverrides = overrides.map { ($0.header, Array($0.value.utf8)) }
        return request
    }

    /// Returns the actions that a word of the rules stands for.
    private static func actions(_ text: String) throws(ValidationError) -> [AccessAction] {
        if text == "read" { return [.get, .list] }
        guard let action = AccessAction(argument: text) else {
            let names = AccessAction.allValueStrings.joined(separator: ", ")
            throw ValidationError("it must be \(names), or read for get and list")
        }
        return [action]
    }

    private static func checksum(_ text: String) throws(ValidationError) -> ChecksumAlgorithm {
        guard let algorithm = ChecksumAlgorithm(declared: text) else { throw ValidationError("it must be sha256") }
        return algorithm
    }
}

/// A response header that a URL overrides, such as `responseContentType=text/html`.
struct HeaderOverride {
    let header: ResponseOverride
    let value: String

    init(_ text: String) throws(ValidationError) {
        guard let parts = try? NamedValue(text),
            let header = ResponseOverride.allCases.first(where: { $0.rawValue.utf8.elementsEqual(parts.name.utf8) })
        else {
            let names = ResponseOverride.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("it must be NAME=VALUE; the names are \(names)")
        }
        (self.header, value) = (header, parts.value)
        if let flaw = header.flaw(in: Array(value.utf8)) { throw ValidationError("\(header.rawValue) \(flaw)") }
    }
}
