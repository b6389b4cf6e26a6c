import Foundation
import Requests
import Testing

@testable import PresignService
@testable import Presigning
@testable import Telemetry

@Suite("Metric values")
struct MetricValueTests {
    private static func isIndexed<Label: MetricLabel>(_ labels: Label.Type) -> Bool {
        Label.allCases.map(\.rawValue) == Array(0..<Label.allCases.count)
            && Set(Label.allCases.map(\.text)).count == Label.allCases.count
    }

    @Test("The values of a label have unique texts, and raw values that count from 0")
    func labels() {
        #expect(
            Self.isIndexed(ProblemCode.self) && Self.isIndexed(Route.self)
                && Self.isIndexed(AWSS3SigningOperation.Kind.self))
        #expect(Self.isIndexed(ExistenceLabel.self) && Self.isIndexed(RateLimitStatus.Policy.self))
    }

    @Test("Operations are named as in the S3 API reference")
    func operations() {
        let operations: [(AWSS3SigningOperation, String)] = [
            (.getObject, "GetObject"), (.putObject, "PutObject"), (.headObject, "HeadObject"),
            (.deleteObject, "DeleteObject"), (.createMultipartUpload, "CreateMultipartUpload"),
            (.uploadPart(partNumber: 1, uploadId: "u"), "UploadPart"),
            (.completeMultipartUpload(uploadId: "u"), "CompleteMultipartUpload"),
            (.abortMultipartUpload(uploadId: "u"), "AbortMultipartUpload"), (.listParts(uploadId: "u"), "ListParts"),
            (.listObjectsV2(prefix: "a/"), "ListObjectsV2"),
        ]
        #expect(operations.map { $0.0.kind.text } == operations.map(\.1))
        #expect(operations.map { $0.0.kind } + [.postObject] == AWSS3SigningOperation.Kind.allCases)
        #expect(AWSS3SigningOperation.Kind.postObject.text == "PostObject")
    }

    @Test("No count is lost when two threads share each shard")
    func threads() {
        let metrics = ServiceMetrics()
        let shards = (0..<4).map { _ in metrics.makeShard() }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            let shard = shards[thread / 2]
            for index in 0..<10_000 {
                shard.note { counts in
                    counts.noteRequest(.presign, status: 200, nanoseconds: index)
                    counts.refusals[.forbidden] += 1
                    counts.waiting += thread.isMultiple(of: 2) ? 1 : -1
                    counts.urls[counts.index(ofStore: "s")].operations[.putObject] += 1
                }
            }
        }
        let counts = metrics.counts
        #expect(counts.requests[.presign] == [200: 80_000])
        #expect(counts.refusals[.forbidden] == 80_000 && counts.refusals.sum == 80_000)
        #expect(counts.durations[.presign].counts[0] == 80_000)
        #expect(counts.durations[.presign].nanoseconds == 8 * 49_995_000)
        #expect(counts.urls.count == 1 && counts.urls[0].operations.sum == 80_000)
        #expect(counts.urls[0].store == "s" && counts.urls[0].operations[.putObject] == 80_000)
        #expect(counts.waiting == 0)
    }

    @Test("Counts are written in the order of routes, statuses, stores, operations, codes and limits")
    func text() {
        let shards = [MetricShard(), MetricShard()]
        for (shard, stores) in zip(shards, [["media", "archive"], ["archive", "attic"]]) {
            shard.note { counts in
                for store in stores { _ = counts.index(ofStore: store) }
                for status in [503, 200, 404, 200] { counts.noteRequest(.link, status: status, nanoseconds: 1) }
                counts.noteRequest(.presign, status: 299, nanoseconds: 1)
                counts.urls[counts.index(ofStore: "archive")].operations[.listParts] += 1
                counts.refusals[.httpVersion] += 1
                counts.limitsHit[.failedAuthentications] += 1
            }
        }
        let counts = shards.reduce(into: ServiceCounts()) { $0 += $1.counts }
        var text = MetricsText()
        counts.appendRequests(to: &text)
        counts.appendDecisions(to: &text)
        let lines = String(decoding: text.bytes, as: UTF8.self).split(separator: "\n").filter {
            !$0.hasPrefix("#") && !$0.contains("duration")
        }
        #expect(
            lines.prefix(7) == [
                #"presign_http_requests_total{route="/presign",status="299"} 2"#,
                #"presign_http_requests_total{route="/o/{path}",status="200"} 4"#,
                #"presign_http_requests_total{route="/o/{path}",status="404"} 2"#,
                #"presign_http_requests_total{route="/o/{path}",status="503"} 2"#,
                #"presign_urls_total{store="archive",operation="GetObject"} 0"#,
                #"presign_urls_total{store="archive",operation="PutObject"} 0"#,
                #"presign_urls_total{store="archive",operation="HeadObject"} 0"#,
            ])
        #expect(
            lines[12...16] == [
                #"presign_urls_total{store="archive",operation="ListParts"} 2"#,
                #"presign_urls_total{store="archive",operation="ListObjectsV2"} 0"#,
                #"presign_urls_total{store="archive",operation="PostObject"} 0"#,
                #"presign_urls_total{store="attic",operation="GetObject"} 0"#,
                #"presign_urls_total{store="attic",operation="PutObject"} 0"#,
            ])
        #expect(lines[37] == #"presign_refusals_total{code="validation"} 0"#)
        #expect(
            lines.suffix(5) == [
                #"presign_refusals_total{code="http-version"} 2"#, #"presign_limits_hit_total{limit="caller"} 0"#,
                #"presign_limits_hit_total{limit="guest"} 0"#,
                #"presign_limits_hit_total{limit="failed-authentications"} 2"#,
                #"presign_limits_hit_total{limit="share-client"} 0"#,
            ])
    }
}
