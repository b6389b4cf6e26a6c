import Presigning
import Refreshing
import Requests
import System
import TestSupport

@testable import AccessRules
@testable import CallerAuthentication
@testable import DataFormats

extension TokenFixture {
    static func configuration(_ issuers: String) throws -> [TokenIssuerConfiguration] {
        try ConfigurationNode.read(Array(issuers.utf8), file: "c.yaml", TokenIssuerConfiguration.list)
    }

    struct Missing: Error {}

    static func issuers(_ issuers: String = yaml, files: [String: String] = files) throws -> [TokenIssuer] {
        try configuration(issuers).map { issuer in
            TokenIssuer(issuer, try keys(of: issuer, files))
        }
    }

    static func keys(_ issuer: String, _ files: [String: String]) throws -> IssuerKeys {
        guard let issuer = try configuration(issuer).first else { throw Missing() }
        return try keys(of: issuer, files)
    }

    private static func keys(of issuer: TokenIssuerConfiguration, _ files: [String: String]) throws -> IssuerKeys {
        let keys = try IssuerKeys(of: issuer) { path in
            guard let text = files[path] else { throw Missing() }
            return Array(text.utf8)
        }
        guard let keys else { throw Missing() }
        return keys
    }

    static func verifier(_ yaml: String = yaml, files: [String: String] = files) throws -> TokenVerifier {
        TokenVerifier(try issuers(yaml, files: files))
    }
}

extension TokenVerifier {
    /// The caller, or the reason for the rejection.
    func result(
        _ token: String, in header: String? = nil, from client: PeerAddress = .unix, at now: Int64 = TokenFixture.now
    ) -> Result<Caller, TokenRefusal> {
        do throws(TokenRefusal) {
            let header = header.map { Array($0.utf8) }
            return .success(try caller(for: Array(token.utf8).span, in: header, from: client, at: now))
        } catch {
            return .failure(error)
        }
    }

    func refusal(
        _ token: String, from client: PeerAddress = .unix, at now: Int64 = TokenFixture.now
    ) -> TokenRefusal? {
        if case .failure(let refusal) = result(token, from: client, at: now) { refusal } else { nil }
    }

    func caller(_ token: String, in header: String? = nil, at now: Int64 = TokenFixture.now) throws -> Caller {
        try result(token, in: header, at: now).get()
    }
}

extension IssuerKeyPool {
    /// A pool for configurations whose keys are in files.
    static var unused: IssuerKeyPool {
        IssuerKeyPool(clock: { ClockReading(wall: SigningTime(secondsSince1970: TokenFixture.now), uptime: .zero) })
    }
}
