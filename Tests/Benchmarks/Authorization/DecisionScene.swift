import AccessRules
import PresignService
import Presigning
import Requests

/// A policy of 1,000 rules, one of them with 12 segments, and questions whose cost could grow with all rules.
struct DecisionScene {
    struct Question {
        let name: String
        /// The limit in nanoseconds.
        let bound: Int
        let repetitions: Int
        let isAllowed: () -> Bool
    }

    let questions: [Question]

    init() throws {
        let policy = try ServiceConfiguration(parsing: Array(Self.yaml.utf8), file: "benchmark.yaml").policy
        let others = Self.yaml.replacing("everyone", with: "group:others").replacing("owner", with: "group:owners")
        let closed = try ServiceConfiguration(parsing: Array(others.utf8), file: "benchmark.yaml").policy
        precondition(policy.rules.count == 1000)
        let caller = Caller(scheme: .jwt, identity: "alice")
        let key = Array("teams/t500/alice/photos/2026/11/holiday snap.jpg".utf8)
        func decides(_ key: [UInt8], _ action: AccessAction) -> () -> Bool {
            let request = PresignRequest(caller: caller, action: action, path: key)
            return { if case .allowed = policy.decision(for: request) { true } else { false } }
        }
        func permits(_ key: [UInt8], _ count: Int) -> () -> Bool {
            { (try? policy.permissions(of: caller, on: key, in: nil).count) == count }
        }
        questions = [
            Question(name: "a decision", bound: 50_000, repetitions: 10_000, isAllowed: decides(key, .get)),
            Question(name: "permissions of an object", bound: 50_000, repetitions: 10_000, isAllowed: permits(key, 4)),
            Question(name: "a listing of everything", bound: 200_000, repetitions: 100, isAllowed: decides([], .list)),
            Question(name: "permissions of the root", bound: 200_000, repetitions: 100, isAllowed: permits([], 1)),
            Question(
                name: "a listing of 998 folders", bound: 1_000_000, repetitions: 100,
                isAllowed: decides(Array("teams/".utf8), .list)),
            Question(
                name: "the roots of a caller", bound: 1_000_000, repetitions: 100,
                isAllowed: { policy.roots(of: caller, in: nil).folders.count == AccessPolicy.maximumRoots }),
            Question(
                name: "the roots of a stranger", bound: 1_000_000, repetitions: 100,
                isAllowed: { closed.roots(of: caller, in: nil).folders.isEmpty }),
        ]
    }

    /// Every rule lets every caller list, so a listing of everything asks each of them.
    private static let yaml = """
        version: 1
        stores: {media: {bucket: media-uploads-prod, region: eu-west-1, listing: true}}
        rules:
        - {path: "**", allow: {everyone: [read]}, expires: {max: 1h}}
        - {path: "a/{identity}/c/*/e/{identity}/g/*/i/{identity}/k/*", allow: {everyone: [list]}}
        \((0..<998).map(rule).joined())
        """

    private static func rule(_ index: Int) -> String {
        "- {path: \"teams/t\(index)/{identity}/**\", allow: {everyone: [list], owner: [read, write, delete, multipart]},"
            + " write: {types: [image/*, application/pdf]}, expires: {max: 15m}}\n"
    }
}
