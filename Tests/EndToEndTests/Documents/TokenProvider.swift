import Foundation
import TestSupport

/// A provider of tokens in the guide, for which `Tests/clients/issuer.py` stands in.
enum TokenProvider: String, CaseIterable, Sendable {
    case auth0, cognito

    /// The issuer in the guide.
    var issuer: String {
        switch self {
        case .auth0: "https://acme.eu.auth0.com/"
        case .cognito: "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI"
        }
    }

    /// The arguments of the stand-in.
    static func arguments(port: UInt16) -> [String] { ["\(port)"] + allCases.map { $0.standIn(port: port) } }

    /// The address of the stand-in's keys.
    static func keys(port: UInt16) -> String { "http://127.0.0.1:\(port)/.well-known/jwks.json" }

    /// Replaces the issuer of a page that is written for Auth0, and for Cognito the two lines that the page names.
    func filled(_ text: String, port: UInt16) -> String {
        var text = text.replacing(Self.auth0.issuer, with: standIn(port: port))
        if self == .cognito {
            text.replace("preset: auth0", with: "preset: cognito")
            text.replace("https://presign.example.com", with: "3n4b5urk1ft4fl3mg5e62d9ado")
        }
        return text
    }

    private func standIn(port: UInt16) -> String {
        "http://127.0.0.1:\(port)/" + (self == .cognito ? "eu-west-1_AbCdEfGhI" : "")
    }
}

extension MarkdownDocument {
    /// Whether a block of the page starts a service.
    var startsService: Bool { blocks.contains(where: \.startsService) }
}

extension MarkdownBlock {
    /// Whether the block, which is run, starts a service.
    var startsService: Bool { command?.hasPrefix("presign serve ") == true }
}
