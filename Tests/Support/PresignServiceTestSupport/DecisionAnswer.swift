import Foundation
import SocketTestSupport

@testable import AccessRulesTestSupport

/// The decision in a response, or in a result of a batch.
struct DecisionAnswer {
    let status: Int
    let presigned: PresignBody?
    /// The invalid fields, by the names of the interpreter.
    let fields: [String]
    /// The code of a problem.
    let code: String?

    init(_ response: RawResponse) throws {
        status = response.status
        presigned = status == 200 ? try response.presigned() : nil
        let problem = status == 200 ? nil : try response.problem()
        (fields, code) = (Self.names(problem?.pointers ?? []), problem?.code)
    }

    init(_ result: BatchBody.Result) {
        switch result {
        case .url(let body): (status, presigned, fields, code) = (200, body, [], nil)
        case .error(let problem, _):
            (status, presigned, fields, code) = (problem.status, nil, Self.names(problem.pointers), problem.code)
        }
    }

    private static func names(_ pointers: [String]) -> [String] {
        pointers.map { $0 == "#/checksumSHA256" ? "checksum" : String($0.dropFirst(2)) }
    }

    /// - Parameter end: the longest lifetime that the credentials allow.
    func agrees(
        with verdict: NaivePolicy.Verdict, of request: NaivePolicy.Request, within end: Int64 = .max
    ) -> Bool {
        guard status == verdict.status else { return false }
        guard let presigned else { return ![400, 422].contains(status) || fields == verdict.fields }
        return Int64(presigned.expiresIn) == verdict.expiresIn.map { min($0, end) }
            && (presigned.headers["if-none-match"] == "*") == verdict.ifNoneMatch
            && (presigned.headers["cache-control"] != nil) == (request.cache != nil || verdict.isAdding == true)
            && (presigned.headers["x-amz-acl"] != nil) == (request.acl != nil || verdict.addsList == true)
    }
}
