import Cryptography
import HTTPClient
import System

/// The keys of an issuer from one fetch. Immutable.
package final class FetchedKeys: Sendable {
    let keys: IssuerKeys
    /// Where users sign in; nil if the source is not a discovery document, or the issuer has no such endpoints.
    let endpoints: ProviderEndpoints?
    /// The digest of the JWK set.
    private let digest: SHA256Digest

    /// - Parameter keySet: The JWK set.
    init(_ keySet: [UInt8], _ endpoints: ProviderEndpoints?, from source: RemoteKeySource) throws(KeySetFailure) {
        var notes: [String] = []
        let entries = try KeySet.keys(in: keySet, for: source.algorithms, &notes)
        keys = IssuerKeys(
            entries, areNamed: true, warnings: notes.map { "auth.jwt \(source.issuerName): \(source.url.text): \($0)" })
        self.endpoints = endpoints
        digest = SHA256.hash(keySet)
    }

    /// Warnings about keys that are not used.
    package var warnings: [String] { keys.warnings }

    /// The ids of the keys.
    package var keyIDs: [String] { keys.keyIDs.map { String(decoding: $0, as: UTF8.self) } }

    /// Whether the key sets have the same bytes and the endpoints are the same.
    func equals(_ other: FetchedKeys) -> Bool { digest == other.digest && endpoints == other.endpoints }
}

/// Fetches the keys of an issuer. Does not follow redirects: the URL in the configuration decides which server's keys are
/// trusted.
package struct RemoteKeyFetcher: Sendable {
    /// The size limit of a JWK set in bytes. Microsoft's, the largest known, has 20 KB.
    private static let keySetLimit = 256 * 1024

    let source: RemoteKeySource
    /// A PEM file of trusted certificate authorities; nil for the system's.
    var authorities: String?
    /// The time limit for all requests, including name resolution.
    var timeout = Duration.seconds(10)

    /// - Parameter source: Where to fetch the keys.
    package init(_ source: RemoteKeySource) { self.source = source }

    /// Fetches the keys. Blocks up to the timeout, so do not call it on an event loop.
    ///
    /// - Returns: The keys, and how many seconds they may be cached; nil if the server does not say.
    package func fetch() throws(KeyFailure) -> (keys: FetchedKeys, freshFor: Int?) {
        let deadline = MonotonicTime.after(timeout)
        guard source.isDiscovery else { return try keySet(at: source.url, nil, deadline) }
        let json = try response(from: source.url, limit: FetchRequest.standardLimit, deadline).body
        let document: DiscoveryDocument
        do { document = try DiscoveryDocument(json, from: source) } catch { throw failure(source.url, error.reason) }
        return try keySet(at: document.keySet, document.endpoints, deadline)
    }

    private func keySet(
        at url: FetchURL, _ endpoints: ProviderEndpoints?, _ deadline: MonotonicTime
    ) throws(KeyFailure) -> (keys: FetchedKeys, freshFor: Int?) {
        let response = try response(from: url, limit: Self.keySetLimit, deadline)
        do {
            return (try FetchedKeys(response.body, endpoints, from: source), response.freshFor)
        } catch {
            throw failure(url, error.reason)
        }
    }

    private func response(
        from url: FetchURL, limit: Int, _ deadline: MonotonicTime
    ) throws(KeyFailure) -> FetchResponse {
        var request = FetchRequest(.get, url)
        _ = request.add("accept", Array("application/json".utf8))
        request.limit = limit
        let response: FetchResponse
        do throws(FetchFailure) {
            let addresses = try HostResolver.system.addresses(of: url.host, by: deadline)
            guard url.isSecure || addresses.allSatisfy(\.isLoopback) else {
                throw .insecure("plain HTTP is allowed only for loopback addresses (127.0.0.0/8, ::1)")
            }
            response = try HTTPFetch.response(
                to: request, fromOneOf: addresses, authorities: authorities, by: deadline)
        } catch {
            throw failure(url, "cannot be fetched: \(error)")
        }
        switch response.status {
        case 200: return response
        case 300..<400:
            throw failure(url, "is redirected (status \(response.status)); configure the URL that it leads to")
        default: throw failure(url, "cannot be fetched: the server responded with status \(response.status)")
        }
    }

    private func failure(_ url: FetchURL, _ reason: String) -> KeyFailure {
        KeyFailure(setting: "auth.jwt \(source.issuerName)", file: url.text, reason: reason)
    }
}
