import Dispatch
import Logging
import PresignService
import Synchronization

/// Refreshes storage credentials when their files have changed and are quiet.
final class CredentialFiles: Sendable {
    private let refreshers: Refreshers
    private let service: Service
    private let logger: Logger
    private let watch = Mutex<FileWatch?>(nil)

    init(_ refreshers: Refreshers, of service: Service, _ logger: Logger) {
        (self.refreshers, self.service, self.logger) = (refreshers, service, logger)
    }

    /// Refreshes what a configuration uses from now on, and watches its files.
    func follow(_ configuration: ServiceConfiguration) {
        let files = refreshers.keep(only: configuration)
        // Taken before the files are read, so that a later change is noticed.
        let stamps = FileStamps(files)
        refreshers.start(configuration, for: service)
        watch.withLock { watch in
            if let watch { return watch.watch(files) }
            guard !files.isEmpty else { return }
            watch = FileWatch(on: DispatchQueue(label: "presign.credentials.files"), since: stamps)
            watch?.poll { self.refreshers.refreshCredentials() }
        }
    }

    /// Refreshes the credentials as soon as the files are quiet.
    func refresh() {
        guard let watch = watch.withLock({ $0 }) else { return refreshers.refreshCredentials() }
        watch.whenQuiet { changing in
            guard let changing else { return self.refreshers.refreshCredentials() }
            self.logger.warning(
                "credentials not refreshed: \(FileChanging(path: changing))",
                metadata: ["event": "credentials-failed"])
        }
    }

    /// Stops watching, and all refreshing.
    func stop() {
        watch.withLock { $0?.stop() }
        refreshers.stop()
    }
}
