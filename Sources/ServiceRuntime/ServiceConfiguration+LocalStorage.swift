import HTTPServer
import LocalStorage
package import PresignService

extension ServiceConfiguration {
    /// Redirects all stores to the local storage, if there is one, with the credentials that `presign serve` generated in
    /// its directory.
    package mutating func useLocalStorage(configuredIn file: String) throws(ProgramFailure) {
        guard let local else { return }
        guard case .tcp(_, let port) = local.listen, port != 0 else {
            throw ProgramFailure(
                .configuration, "\(file): local.listen: \(local.listen) has no fixed port to put into URLs; set one")
        }
        try reporting(errorsAs: .configuration) {
            guard let credentials = try LocalStore.credentials(in: local.directory) else {
                throw ProgramFailure(
                    .configuration,
                    "\(file): the local storage has no credentials in \(local.directory)/credentials; run"
                        + " `presign serve` once to generate them, and this command in the same folder")
            }
            try serveLocally(from: "http://\(local.listen)", with: credentials)
        }
    }
}
