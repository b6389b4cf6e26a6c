import CallerAuthentication
import HTTPServerTestSupport
import SocketTestSupport
import Testing

@testable import DataFormats
@testable import PresignService
@testable import PresignServiceTestSupport

@Suite("What storages are known to refuse")
struct StorageLimitTests {
    private static let tooLong = 5_368_709_121
    private static let known = ["aws", "behind", "named", "proxied", "r2", "spaces"]

    /// Stores at each kind of endpoint; `proxied` and `behind` are at AWS, behind a host of
    /// their own.
    private static let yaml: String = {
        let stores = [
            "aws": "", "named": ", endpoint: \"https://s3.eu-west-1.amazonaws.com\"",
            "proxied":
                ", endpoint: \"https://s3.eu-west-1.amazonaws.com\", publicEndpoint: \"https://files.example.com\"",
            "behind":
                ", endpoint: \"https://files.example.com\", publicEndpoint: \"https://files.example.com\", "
                + "signedEndpoint: \"https://s3.eu-west-1.amazonaws.com\"",
            "r2": ", endpoint: \"https://0123456789abcdef.r2.cloudflarestorage.com\"",
            "spaces": ", endpoint: \"https://fra1.digitaloceanspaces.com\"",
            "other": ", endpoint: \"http://127.0.0.1:9000\"",
        ].sorted { $0.key < $1.key }
        let rules = stores.map { name, _ in
            """
              - {path: a/**, store: \(name), allow: {authenticated: [get, write, multipart]}, write: {accept: [storageClass]}, share: {write: 1d}}
              - {path: f/**, store: \(name), allow: {authenticated: [write]}, write: {maxSize: 6g}}
              - {path: s/**, store: \(name), allow: {authenticated: [write]}, write: {set: {storageClass: COLD}}}
            """
        }
        return """
            version: 1
            server: {listen: "127.0.0.1:0"}
            stores:
            \(stores.map { "  \($0): {bucket: media, region: eu-west-1, default: \($0 == "aws")\($1)}" }.joined(separator: "\n"))
            auth: {apiKeys: [{id: web, hashes: ["\(APIKey.storedHash(of: SampleConfiguration.Key.web.utf8))"]}]}
            lfs: {prefix: a}
            shares: {url: "https://links.example.com", keys: [\(ShareFixture.keys)]}
            rules:
            \(rules.joined(separator: "\n"))
            """
    }()

    private static func service() throws -> TestService { try TestService(yaml, files: ShareFixture.files) }

    static let requests: [(members: String, statuses: (known: Int, other: Int), reason: String)] = [
        (#""path":"a/x","method":"PUT","contentLength":5368709120"#, (200, 200), ""),
        (#""path":"a/x","method":"PUT","contentLength":5368709121"#, (422, 200), "use a multipart upload"),
        (
            #""path":"a/x","method":"PUT","uploadId":"u","partNumber":1,"contentLength":5368709121"#, (422, 200),
            "use smaller parts"
        ),
        (#""path":"a/x","method":"PUT","uploadId":"u","partNumber":1,"contentLength":5368709120"#, (200, 200), ""),
        (#""path":"a/x","method":"POST","uploadId":"u","contentLength":53687091200000"#, (200, 200), ""),
        (#""path":"a/x","method":"POST","uploadId":"u","contentLength":53687091200001"#, (400, 400), "48.8 TiB"),
        (
            #""path":"f/x","method":"POST","form":true,"contentType":"a/b","contentLength":5368709121"#, (422, 200),
            "use a multipart upload"
        ),
        (#""path":"f/x","method":"POST","form":true,"contentType":"a/b""#, (200, 200), ""),
        (#""path":"a/x","method":"PUT","share":true,"contentLength":5368709121"#, (422, 200), "split the file"),
        (#""path":"a/x","method":"PUT","share":true,"contentLength":5368709120"#, (200, 200), ""),
    ]

    @Test("More than 5 GiB in one request is refused where the storage is known to refuse it", arguments: requests)
    func lengths(members: String, statuses: (known: Int, other: Int), reason: String) throws {
        let service = try Self.service()
        for store in Self.known + ["other"] {
            let response = try service.exchange(presignRequest(#"{"store":"\#(store)",\#(members)}"#))
            let status = store == "other" ? statuses.other : statuses.known
            #expect(response.status == status, "\(store): \(response.text)")
            guard status >= 400 else { continue }
            let problem = try response.problem()
            #expect(problem.detail.contains(reason) && problem.pointers == ["#/contentLength"], "\(problem.detail)")
        }
    }

    @Test("Items of a batch, objects of Git LFS and uses of share links are refused, too")
    func doors() throws {
        let service = try Self.service()
        let item = #"{"path":"a/x","method":"PUT","contentLength":\#(Self.tooLong)}"#
        let batch = try service.exchange(batchRequest([item, #"{"path":"a/x"}"#])).batch()
        #expect(batch.results.map { DecisionAnswer($0).status } == [422, 200])
        let object = #"{"oid":"\#(String(repeating: "e", count: 64))","size":\#(Self.tooLong)}"#
        let lfs = try service.exchange(
            lfsRequest(
                #"{"operation":"upload","objects":[\#(object)]}"#, credentials: basic(SampleConfiguration.Key.web))
        ).lfs()
        #expect(lfs.codes == [422] && lfs.objects[0].error?.message.hasSuffix("(5 GiB); split the file") == true)
        let link = try service.mint(#"{"path":"a/x","method":"PUT","share":true}"#)
        let head = ["Content-Type: a/b", "Content-Length: \(Self.tooLong)", "Expect: 100-continue"]
        let use = try service.exchange(
            ShareFixture.use("PUT", "/s/\(link.token)", head))
        #expect(use.status == 413 && use.text.contains("split the file"), "\(use.text)")
    }

    @Test(
        "At AWS a storage class is one of S3's",
        arguments: [
            ("STANDARD_IA", true, ""), ("GLACIER_IR", true, ""), ("EXPRESS_ONEZONE", true, ""),
            ("STANDARD-IA", false, "did you mean `STANDARD_IA`?"), ("standard", false, "did you mean `STANDARD`?"),
            ("GLACIR", false, "did you mean `GLACIER`?"), ("INTELLIGENT-TIERING", false, "`INTELLIGENT_TIERING`?"),
            ("DEEPARCHIVE", false, "did you mean `DEEP_ARCHIVE`?"),
            ("COLD", false, "; use one of STANDARD, REDUCED_REDUNDANCY, STANDARD_IA"),
            ("NEARLINE", false, "; use one of STANDARD,"),
        ])
    func storageClasses(name: String, isValid: Bool, reason: String) throws {
        let service = try Self.service()
        for store in Self.known + ["other"] {
            for method in ["PUT", "POST"] {
                let body = #"{"store":"\#(store)","path":"a/x","method":"\#(method)","storageClass":"\#(name)"}"#
                let response = try service.exchange(presignRequest(body))
                let isRefused = !isValid && ["aws", "behind", "named", "proxied"].contains(store)
                #expect(response.status == (isRefused ? 422 : 200), "\(store): \(response.text)")
                guard isRefused else { continue }
                let problem = try response.problem()
                #expect(problem.pointers == ["#/storageClass"] && problem.detail.contains(reason), "\(problem.detail)")
            }
        }
    }

    @Test("A class that a rule sets is signed, because the operator chooses it, and check-config warns at AWS")
    func setClass() throws {
        let service = try Self.service()
        let response = try service.exchange(presignRequest(#"{"path":"s/x","method":"PUT"}"#))
        #expect(try response.presigned().headers["x-amz-storage-class"] == "COLD")
        let warnings = service.assembly.configuration.warnings.map(\.description).filter {
            $0.contains("`storageClass`")
        }
        #expect(warnings.count == 4 && warnings[0].contains("`COLD` is not a storage class of S3"), "\(warnings)")
    }
}
