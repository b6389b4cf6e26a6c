import ArgumentParser
import Dispatch
import Glibc
import PresignService
import PresignTools
import Presigning
import Requests
import ServiceRuntime
import Synchronization
import System

/// `presign doctor`: finds out what a store enforces.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find out what a store really enforces, with objects of its own.",
        discussion: """
            Signs URLs as the service does, uses them against their signatures, and prints
            one line per check: `enforced`, `not enforced` or `not possible`. For what is
            not enforced, or was not checked, it names the rules that rely on it.

            Safe on production: the command writes only objects with new random names
            below --prefix, and removes them at the end and after Ctrl-C. What a killed
            run left is removed by the next one, if name and content prove that it is
            doctor's. With --read-only it writes and removes nothing.

            Exit code 0 if all that rules rely on is enforced; 1 if something of it is not
            enforced, if a store does not respond, if an object could not be removed, or
            after Ctrl-C; otherwise 3 if something of it could not be checked, as with
            --read-only or with credentials that may not delete.

            EXAMPLES
              presign doctor --config presign.yaml
              presign doctor --config presign.yaml --store media --read-only
            """)

    @Option(help: "The YAML configuration file.", completion: .yaml) var config: String
    @Option(help: "The store to check (default: each store of the configuration).") var store: String?
    @Option(help: "Where to write objects, below the store's own prefix; ends in \"/\".")
    var prefix = "presign-doctor/"
    @Option(
        name: .customLong("origin"),
        help: ArgumentHelp(
            "An address at which people open the upload page, such as https://files.example.com; repeatable (default: shares.url).",
            valueName: "url"))
    var origins: [String] = []
    @Flag(help: "Run only checks that write nothing.") var readOnly = false
    @Flag(help: "Print one JSON object per line.") var json = false

    private func check() throws(ValidationError) {
        guard !prefix.isEmpty, ObjectKeyCheck.refusal(ofPrefix: Array(prefix.utf8)) == nil else {
            throw ValidationError("--prefix must be path segments that end in \"/\", such as presign-doctor/")
        }
        for origin in origins {
            if let mistake = ServiceConfiguration.mistake(inWebOrigin: origin) {
                throw ValidationError("--origin: \(mistake)")
            }
        }
    }

    func run() throws {
        try check()
        // A closed pipe must not end the process before it has removed its objects.
        ProcessHardening.apply()
        let interruption = Interruption()
        var configuration = try ConfigurationFile.read(config)
        try configuration.useLocalStorage(configuredIn: config)
        // Browsers send files to the storage from the page's own address too.
        let pages = origins.isEmpty ? [configuration.shares.origin].compactMap(\.self) : origins
        configuration.add(webOrigins: pages.filter { !configuration.webOrigins.contains($0) })
        if configuration.usesStorageProxy {
            printWarning("existence.proxy is not used: doctor connects to the storage as clients do")
        }
        let outputs = try stores(of: configuration).map { store throws(ProgramFailure) in
            try examine(store, configuration, interruption)
        }
        if outputs.contains(where: \.hasFailed) { throw ProgramFailure.refusal }
        let unchecked = outputs.compactMap(\.summaryOfUnchecked)
        if let first = unchecked.first {
            throw ProgramFailure(.unchecked, first, further: Array(unchecked.dropFirst()))
        }
    }

    private func stores(of configuration: ServiceConfiguration) throws(ProgramFailure) -> [StoreConfiguration] {
        guard let name = store else { return configuration.stores }
        guard let store = configuration.stores.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            let names = configuration.stores.map(\.name).joined(separator: ", ")
            throw ProgramFailure(.usage, "--store: \(config) has no store `\(name)`; its stores are \(names)")
        }
        return [store]
    }

    /// Checks a store. Returns the output with what it found.
    private func examine(
        _ store: StoreConfiguration, _ configuration: ServiceConfiguration, _ interruption: Interruption
    ) throws(ProgramFailure) -> DoctorOutput {
        let session = try session(for: store, configuration, interruption)
        let output = DoctorOutput(of: store.name, isJSON: json)
        try output.begin(session)
        var doctor = Doctor(configuration, session)
        var failure: ProgramFailure?
        let declarations: [String]
        do throws(DoctorStop) {
            declarations = try doctor.run { event in
                do throws(ProgramFailure) { try output.report(event) } catch {
                    failure = failure ?? error
                    interruption.request()
                }
            }
        } catch {
            output.clearProgress()
            if let failure { throw failure }
            throw ProgramFailure(.refusal, "store `\(store.name)`: \(error.reason)")
        }
        output.clearProgress()
        if let failure { throw failure }
        try output.end(declarations, of: store)
        return output
    }

    private func session(
        for store: StoreConfiguration, _ configuration: ServiceConfiguration, _ interruption: Interruption
    ) throws(ProgramFailure) -> DoctorSession {
        try reporting(errorsAs: .configuration) {
            let defaults = try SigningDefaults(
                store: store, of: configuration, environment: { Environment.value($0) })
            guard let credentials = try defaults.fetchedCredentials() else {
                throw ProgramFailure(
                    .configuration,
                    "store `\(store.name)`: no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
            }
            let now = { SigningTime(secondsSince1970: WallClock.seconds()) }
            return DoctorSession(
                store, mark: DoctorMark(at: now()), credentials: credentials, prefix: Array(prefix.utf8),
                writes: !readOnly,
                .init(
                    trusting: configuration.storageAuthorities, now: now,
                    isInterrupted: { interruption.isRequested }))
        }
    }
}

/// Whether the operator wants the command to stop (SIGINT, SIGTERM, SIGHUP). The second signal ends the process at once.
private final class Interruption: Sendable {
    private let count = Atomic(0)

    /// `main` has blocked the signals.
    init() {
        ProcessSignals().observe(on: DispatchQueue(label: "presign.signals")) { request, signal in
            if case .reopen = request { return }
            if self.count.add(1, ordering: .relaxed).newValue > 1 { _exit(128 + signal) }
        }
    }

    func request() { count.add(1, ordering: .relaxed) }

    var isRequested: Bool { count.load(ordering: .relaxed) > 0 }
}
