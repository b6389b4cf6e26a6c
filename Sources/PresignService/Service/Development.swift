import CallerAuthentication
import HTTP1
import System

/// Additional details in responses, with the embedded storage: the deciding rule, and the reason for a 401.
struct Development: Sendable {
    /// The file with the generated API key; nil if the configuration names the callers.
    let keyFile: String?

    init?(_ configuration: ServiceConfiguration) {
        guard let local = configuration.local else { return nil }
        let isGenerated = configuration.authentication.apiKeys.contains { $0.id == LocalConfiguration.keyID }
        keyFile = isGenerated ? "\(local.directory)/api-key" : nil
    }

    /// Returns a 401 that says why the credentials are not valid; the usual one unless the client is on this machine.
    func rejection(_ reason: String, of request: HTTPRequest) -> Problem {
        guard request.peer.isLoopback, !request.headers.showForwarding else { return .credentialsRejected }
        let fix = keyFile.flatMap { reason.hasSuffix("API key") ? "The key of this folder is in \($0)." : nil }
        return .rejected(because: reason, fix: fix ?? Problem.credentialsRejected.recoverySuggestion ?? "")
    }
}
