import CallerAuthentication
package import Cryptography
import HTTP1
import ObjectExistence
package import Requests
import Telemetry

/// What the commands for operators need of a configuration.
extension ServiceConfiguration {
    /// The version of presign.
    package static var version: String { BuildInformation.version }

    /// The configured web origins, as texts.
    package var webOrigins: [String] { cors.texts }

    /// Adds web origins.
    package mutating func add(webOrigins: [String]) { cors = cors.adding(webOrigins) }

    /// Returns why a text is not a web origin; nil if it is one.
    package static func mistake(inWebOrigin text: String) -> String? { CORSPolicy.mistake(in: text) }

    /// A PEM file of the authorities that requests to the storage trust; nil for the system's.
    package var storageAuthorities: String? { existence.caFile }

    /// Whether existence checks use a proxy.
    package var usesStorageProxy: Bool { existence.proxy != nil }

    /// Whether requests without credentials are accepted.
    package var admitsGuests: Bool { authentication.allowsGuests }

    /// Generates an API key. Returns it with the hash for the configuration.
    package static func generateKey(id: String) throws(SecureRandom.Failure) -> (key: String, hash: String) {
        let key = try APIKey.generate(id: id)
        return (key, APIKey.storedHash(of: Array(key.utf8)))
    }

    /// Whether the id of an API key has valid characters and length.
    package static func isValidKeyID(_ id: String) -> Bool { APIKey.isValidID(id.utf8) }

    /// The ids of the API keys. `serve --local` generates a key if the configuration has no callers.
    package var keyIDs: [String] {
        authentication.apiKeys.map(\.id) + (hasCallers ? [] : [LocalConfiguration.keyID])
    }

    /// Returns the caller with an API key, and whether the key is disabled; nil if the key is unknown.
    package func caller(ofKey id: some Collection<UInt8>) -> (caller: Caller, isDisabled: Bool)? {
        if let key = authentication.apiKeys.first(where: { $0.id.utf8.elementsEqual(id) }) {
            return (key.caller, key.isDisabled)
        }
        guard !hasCallers, id.elementsEqual(LocalConfiguration.keyID.utf8) else { return nil }
        return (Caller(apiKeyID: LocalConfiguration.keyID, identity: LocalConfiguration.keyID), false)
    }
}
