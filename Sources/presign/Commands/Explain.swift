import AccessRules
import LocalStorage
import PresignTools
import Presigning

/// `presign explain`: what the rules make of a request, and why.
struct Explain: Command {
    static let title = CommandTitle(
        "explain",
        abstract: "Tell what the access rules make of a request, and why.",
        discussion: """
            Prints the decision, the rule that made it with its place in the file, each of
            its grants with what keeps it from applying, and every limit that is not met.
            Callers of the service never see any of this. Nothing is signed and no
            credentials are needed. The configuration may be a file with rules only (rules,
            deny, presets, groups, expires, stores).

            WHO is guest, apikey=ID, certificate=NAME, or parts of a token:
            sub=alice,groups=editors+admins,claim.tenant=acme. Several groups are joined by
            +, or groups= is repeated; what holds a comma or a + is for --batch. The key
            that serve --local makes for a configuration without callers is apikey=local.

            With --batch each line of standard input is one question in JSON, {who, action,
            path, store, contentType, contentLength, checksum, expiresIn, step} and the
            members response... of POST /presign, and becomes one line {status, rule, at,
            reason, fields, ...}. `who` is null for a guest, else {identity, groups,
            claims}, {caller: ID} for an API key, or {certificate: NAME}. A line that
            cannot be read becomes {"error"}.

            Exit code 0 when it is allowed, 1 when it is refused; with --batch 0, or 65 when
            a line could not be read.

            EXAMPLES
              presign explain --config p.yaml --as sub=alice,groups=editors write a/x.png
              presign explain --config p.yaml --as guest --store archive get backups/db
              presign explain --config p.yaml --as apikey=web multipart a/b --step complete
              presign explain --config p.yaml --batch < questions.jsonl
            """)

    private let config: String
    private let caller: String?
    private let batch: Bool
    private let store: String?
    private let contentType: String?
    private let contentLength: Int64?
    private let checksum: String?
    private let expiresIn: String?
    private let step: MultipartStep?
    private let overrides: [String]
    private let words: [String]

    init(from arguments: inout Arguments) {
        config = arguments.requiredOption("config", help: "The YAML configuration file.")
        caller = arguments.option("as", "who", help: "Who asks.")
        batch = arguments.flag("batch", help: "Read JSON Lines from standard input.")
        store = arguments.option("store", help: "The store (default: the default store).")
        contentType = arguments.option("content-type", help: "The media type that an upload declares.")
        contentLength = arguments.number("content-length", help: "The bytes that an upload declares.")
        checksum = arguments.option("checksum", help: "The checksum that an upload declares: sha256.")
        expiresIn = arguments.option(
            "expires-in", help: "How long the URL is asked to live: seconds, or with a unit s, m, h or d.")
        step = arguments.choice("step", help: "Of a multipart upload: create, part, list, complete or abort.")
        overrides = arguments.options(
            "override", "member=value", help: "A response header to be sent, such as responseContentType=text/html.")
        words = arguments.words("words", help: "The action (\(AccessActionSet.all.names)), then the object's path.")
    }

    func validate() throws(UsageError) {
        guard batch else {
            guard words.count == 2, caller != nil else { throw UsageError("give --as WHO, ACTION and PATH") }
            return
        }
        guard words.isEmpty, caller == nil, store == nil, contentType == nil, contentLength == nil, checksum == nil,
            expiresIn == nil, step == nil, overrides.isEmpty
        else { throw UsageError("--batch takes its questions from standard input") }
    }

    func run() throws {
        let rules = try ConfigurationFile.rules(config)
        guard batch else { return try explain(rules) }
        var answers = RuleBatch(rules)
        try LineBatch.run { answers.answer(to: $0) }
        guard answers.failures == 0 else {
            throw CommandFailure(.data, "\(count(answers.failures, "line")) could not be read")
        }
    }

    private func explain(_ rules: PolicyFile) throws {
        let request: AccessRequest
        do {
            request = try self.request(in: rules)
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
        let verdict = rules.verdict(on: request)
        try printLines(rules.policy.explanation(for: request).lines(verdict))
        guard verdict.isAllowed else { throw CommandFailure.refusal }
    }

    private func request(in rules: PolicyFile) throws -> AccessRequest {
        if let store, !rules.storeNames.contains(where: { $0.utf8.elementsEqual(store.utf8) }) {
            let known = rules.storeNames
            throw CommandFailure(
                .usage,
                "--store: there is no store \(store)"
                    + (known.isEmpty ? "" : "; known: \(known.joined(separator: ", "))"))
        }
        guard let action = AccessAction.allCases.first(where: { $0.name == words[0] }) else {
            throw CommandFailure(.usage, "the action must be one of \(AccessActionSet.all.names)")
        }
        var request = AccessRequest(
            caller: try CallerDescription.caller(caller ?? "", in: rules), action: action, key: Array(words[1].utf8),
            store: store)
        request.contentType = contentType
        request.contentLength = contentLength
        if let checksum {
            guard let algorithm = ChecksumAlgorithm(declared: checksum) else {
                throw CommandFailure(.usage, "--checksum must be sha256")
            }
            request.checksum = algorithm
        }
        request.expiresIn = try expiresIn.map(Lifetime.seconds)
        if let step {
            guard action == .multipart else {
                throw CommandFailure(.usage, "--step goes with the action multipart only")
            }
            request.step = step
        }
        request.responseOverrides = try responseOverrides()
        return request
    }

    private func responseOverrides() throws(CommandFailure) -> [ResponseOverride: [UInt8]] {
        var values: [ResponseOverride: [UInt8]] = [:]
        for text in overrides {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let member = ResponseOverride.allCases.first { $0.rawValue.utf8.elementsEqual(parts[0].utf8) }
            guard parts.count == 2, let member else {
                let known = ResponseOverride.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure(.usage, "--override: `\(text)` must be MEMBER=VALUE; members: \(known)")
            }
            values[member] = Array(parts[1].utf8)
        }
        return values
    }
}
