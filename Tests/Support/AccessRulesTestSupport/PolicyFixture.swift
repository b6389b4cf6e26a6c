import AccessRules
import DataFormats
import Presigning
import Requests

/// Policies written as YAML, and requests in one line.
enum PolicyFixture {
    /// - Parameter listing: The stores that offer listing.
    static func compile(
        _ yaml: String, windows: [String: Int] = [:], listing: Set<String> = []
    ) throws(ConfigurationError) -> (policy: AccessPolicy, warnings: [ConfigurationError]) {
        try ConfigurationNode.read(Array(yaml.utf8), file: "p.yaml") { root in
            let sections = try root.mapping(["rules", "deny", "presets", "groups"])
            let stores = ["media", "archive"].map {
                AccessPolicy.StorePolicy($0, window: windows[$0], offersListing: listing.contains($0))
            }
            return try AccessPolicy.compiled(sections, PolicyInputs(stores: stores, defaultStore: "media"))
        }
    }

    /// A policy in which each template grants `get` to everyone.
    static func policy(templates: [String]) throws(ConfigurationError) -> AccessPolicy {
        try compile("rules:\n" + templates.map { "  - {path: \"\($0)\", allow: {everyone: [get]}}\n" }.joined()).policy
    }

    static func request(
        _ path: String, _ action: AccessAction = .get, step: MultipartStep? = nil, as caller: Caller = .guest,
        store: String? = nil
    ) -> PresignRequest {
        PresignRequest(caller: caller, action: action, step: step, path: Array(path.utf8), store: store)
    }

    static func user(_ identity: String?, groups: [String] = [], claims: [Caller.Claim] = []) -> Caller {
        Caller(scheme: .jwt, identity: identity, groups: groups, claims: claims)
    }
}

extension AccessDecision {
    /// The HTTP status of the service's response.
    var status: Int {
        switch self {
        case .allowed: 200
        case .denied(let denial):
            switch denial.reason {
            case .path, .expiry, .listingOff: 400
            case .noRule, .noGrant, .deny: denial.isGuest ? 401 : 403
            }
        case .unmet: 422
        }
    }

    /// The code of a denial, or `allowed` or `unmet`.
    var code: String {
        switch self {
        case .allowed: "allowed"
        case .denied(let denial): denial.reason.code
        case .unmet: "unmet"
        }
    }
}
