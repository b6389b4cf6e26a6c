import Foundation

extension PresignService {
    /// Returns the path as a text. One with the caller's identity asks the service for it.
    func resolve(_ path: any StoragePath) async throws -> String {
        path is StringStoragePath ? path.resolve("") : path.resolve(try await identified())
    }

    private func identified() async throws -> String {
        if let identity = try await identity(waiting: .limited) { return identity }
        throw StorageFailure(
            .service, .credentialsMissing, status: 401, detail: "the service knows no identity of the caller",
            recoverySuggestion: "Sign in, or use .fromString.")
    }
}
