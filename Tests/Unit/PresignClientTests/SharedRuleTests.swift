import Foundation
import Testing

@testable import PresignClient

@Suite("Rules that presign.js and PresignClient share")
struct SharedRuleTests {
    private let cases: TransferCases

    init() throws { cases = try TransferCases.all.get() }

    @Test("limits")
    func limits() {
        let sizes = cases.sizes
        #expect(PartPlan.partSize == sizes.part && UploadPlan.maxSingleSize == sizes.maxSingle)
        #expect(PartPlan.maxPutSize == sizes.maxPut && PartPlan.maxParts == sizes.maxParts)
        #expect(UploadPlan.maxUnaskedSize == sizes.maxUnasked)
    }

    @Test("the size of the parts follows from the file and the rule")
    func partSizes() async {
        for one in cases.parts {
            let plan = { try PartPlan(size: one.size, limits: one.limits) }
            let found = try? plan()
            #expect(found?.partSize == one.partSize, "\(one)")
            if one.partSize == nil { #expect(await code { try plan() } == .constraint, "\(one)") }
        }
    }

    @Test("one PUT or parts")
    func plans() throws {
        for one in cases.plans {
            let plan = try UploadPlan(size: one.size, permissions: one.actions)
            #expect((plan != .single) == one.isMultipart, "\(one)")
        }
    }

    @Test("what a response means")
    func responses() {
        for one in cases.responses {
            let failure =
                if one.from == .service {
                    StorageFailure.service(
                        .json(one.sent.map { #"{"code": "\#($0)"}"# } ?? "<html>", status: one.status),
                        endpoint: URL(filePath: "/"))
                } else {
                    StorageFailure.storage(
                        one.sent.map { .error($0, status: one.status) } ?? .storage("<html>", status: one.status))
                }
            #expect(failure.source == one.from && failure.code.rawValue == one.code, "\(one)")
            #expect(failure.isRetryable == one.isRetryable && failure.isAmbiguous == one.isAmbiguous, "\(one)")
            #expect(failure.mayPass == one.mayPass, "\(one)")
        }
    }

    @Test("codes after which a URL is renewed")
    func renewals() throws {
        let text = #"{"url": "https://s3.test/a", "method": "PUT", "headers": {}, "expiresIn": 60}"#
        let response = try JSONDecoder().decode(SignResponse.self, from: Data(text.utf8))
        let signed = SignedRequest(response, requestedAt: .now)
        for code in cases.renewingCodes {
            #expect(StorageFailure.storage(.error(code, status: 400)).isExpiry(of: signed, now: .now), "\(code)")
        }
        #expect(!StorageFailure.storage(.error("AccessDenied", status: 403)).isExpiry(of: signed, now: .now))
    }

    @Test("how often and how long is waited")
    func retries() {
        for one in cases.retries {
            let failure = StorageFailure(
                source: one.error.source, code: "", status: one.error.status, detail: "",
                retryAfter: one.error.retryAfter, isRetryable: true)
            var schedule = RetrySchedule(retries: one.retries)
            var delays: [TimeInterval] = []
            while delays.count < 12,
                let delay = schedule.delay(
                    after: failure, isReached: one.isReached, isPersistent: one.isPersistent, jitter: 1)
            {
                delays.append(delay)
            }
            let isEqual = delays.elementsEqual(one.delays) { abs($0 - $1) < 0.001 }
            #expect(isEqual, "\(one): \(delays)")
        }
    }
}
