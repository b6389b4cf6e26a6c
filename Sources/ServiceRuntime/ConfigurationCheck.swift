import CallerAuthentication
import Glibc
import HTTPClient
package import PresignService
import System
import Telemetry

/// What `presign check-config` finds out: whether the files that a configuration names can be used.
package struct ConfigurationCheck {
    /// What is valid but probably unintended, or expired.
    package let warnings: [String]
    /// The token issuers with keys in a file, and the ids of the keys.
    package let fileKeys: [(issuer: String, keyIDs: [String])]
    private let sources: [RemoteKeySource]

    /// Reads the files.
    ///
    /// - Throws: the setting whose file cannot be used, and why.
    package init(_ configuration: ServiceConfiguration) throws(ProgramFailure) {
        let (authenticator, tls) = try reporting(errorsAs: .configuration) {
            let authenticator = try CallerAuthenticator(
                configuration.authentication, keys: IssuerKeyPool(), read: { try ReadableFile.contents(of: $0) })
            _ = try ShareLinks(
                configuration.shares, configuration.authentication, read: { try ReadableFile.contents(of: $0) })
            try configuration.checkOutputs()
            return (authenticator, try configuration.tls.map { try TLSReloader.loaded($0) })
        }
        warnings =
            configuration.warnings.map { "\($0)" } + authenticator.warnings
            + (tls?.warnings(at: WallClock.seconds()) ?? [])
        fileKeys = authenticator.fileKeyIDs.map { ($0.issuer, $0.keyIDs) }
        sources = configuration.authentication.issuers.compactMap(\.keySource)
    }

    /// The token issuers whose keys have a URL, and the URL.
    package var remoteKeys: [(issuer: String, url: String)] { sources.map { ($0.issuerName, $0.url.text) } }

    /// Fetches the keys that have a URL, and reports those of each token issuer.
    ///
    /// - Returns: why keys could not be fetched.
    package func fetchKeys(
        _ report: (_ issuer: String, _ keyIDs: [String], _ warnings: [String]) throws(ProgramFailure) -> Void
    ) throws(ProgramFailure) -> [String] {
        var failures: [String] = []
        for source in sources {
            let keys: FetchedKeys
            do throws(KeyFailure) {
                keys = try RemoteKeyFetcher(source).fetch().keys
            } catch {
                failures.append(error.description)
                continue
            }
            try report(source.issuerName, keys.keyIDs, keys.warnings)
        }
        return failures
    }
}

extension ServiceConfiguration {
    /// Checks that the certificate authorities of existence checks can be read, and that the audit file can be opened or
    /// created, without creating it.
    func checkOutputs() throws(ProgramFailure) {
        if let file = storageAuthorities {
            try reporting(errorsAs: .configuration, after: "existence.caFile: ") {
                _ = try ReadableFile.contents(of: file)
            }
        }
        if case .file(let path) = audit.destination {
            do throws(SystemError) {
                try OutputDescriptor.checkAppending(to: path)
            } catch {
                let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
                let reason = error.code == ENOENT ? "the folder \(folder) does not exist; create it" : "\(error)"
                throw ProgramFailure(.configuration, "audit.to: cannot open \(path): \(reason)")
            }
        }
    }
}
