import Foundation
import TestSupport
import Testing

extension Browsers {
    @Suite("presign.js on another site")
    struct LibraryTests {
        private struct Outcome: Decodable {
            var error: Failure?
            var result: Uploaded?
            var text: String?
            var disposition: String?
            var progress: [Int]?

            struct Failure: Decodable {
                var name: String
                var message: String
                var source: String?
                var code: String?
                var status: Int?
                var recoverySuggestion: String?
                var retryable: Bool?
            }

            struct Uploaded: Decodable { let path: String, key: String, bucket: String, etag: String? }
        }

        /// Runs a script with access to `presign`; returns its result or the error it throws.
        private func outcome(
            _ script: String, on browser: Browser, at site: String, _ options: String
        ) async throws -> Outcome {
            try await browser.go(to: site)
            try await browser.wait(until: "window.Presign")
            return try await browser.evaluate(
                """
                return (async () => {
                  const presign = new Presign(\(options));
                  try {
                    \(script)
                  } catch (error) {
                    const { name, message, source, code, status, recoverySuggestion, retryable } = error;
                    return { error: { name, message, source, code: String(code), status, recoverySuggestion, retryable } };
                  }
                })()
                """)
        }

        @Test("A page of another origin uploads and downloads, with preflights at service and storage")
        func crossOrigin() async throws {
            try await ScriptedServer.run { site in
                let page = "http://127.0.0.1:\(site.port)"
                try await LocalService.run(origins: [page]) { service in
                    try await Browser.open(recordsNetwork: true) { browser in
                        let found = try await outcome(
                            """
                            const file = new File(['from elsewhere'], 'a.txt', { type: 'text/plain' });
                            const progress = [];
                            const onProgress = ({ loaded, total }) => progress.push(loaded, total);
                            const result = await presign.upload(file, { path: 'site/ä.txt', overwrite: false, onProgress });
                            const answer = await fetch(await presign.downloadURL('site/ä.txt', { filename: 'ä "b".txt' }));
                            const url = new URL(answer.url);
                            const disposition = url.searchParams.get('response-content-disposition');
                            return { result, progress, text: await answer.text(), disposition };
                            """, on: browser, at: page, "{ endpoint: '\(service.origin)', apiKey: '\(service.key)' }")
                        #expect(found.error == nil)
                        #expect(found.result?.path == "site/ä.txt" && found.result?.bucket == "local")
                        #expect(found.result?.etag?.isEmpty == false, "the storage exposes no ETag")
                        #expect(found.text == "from elsewhere")
                        #expect(found.progress?.suffix(2) == [14, 14])
                        #expect(
                            found.disposition
                                == "attachment; filename=\"_ _b_.txt\"; filename*=UTF-8''%C3%A4%20%22b%22.txt"
                        )
                        let preflights = try await browser.preflights()
                        #expect(preflights.contains { $0 == "\(service.origin)/presign" }, "\(preflights)")
                        #expect(
                            preflights.contains { !$0.hasPrefix(service.origin) && $0.contains("X-Amz-Signature=") })
                        #expect(try await browser.complaints() == [])
                    }
                }
            }
        }

        @Test("A page of a disallowed origin gets an error that only says what to check")
        func foreignOrigin() async throws {
            try await ScriptedServer.run { site in
                try await LocalService.run(origins: ["http://127.0.0.1:\(site.port)"]) { service in
                    try await Browser.open { browser in
                        let page = "http://localhost:\(site.port)"
                        let found = try await outcome(
                            "return { result: await presign.upload(new Blob(['x']), { path: 'a' }) };",
                            on: browser, at: page, "{ endpoint: '\(service.origin)', apiKey: '\(service.key)' }")
                        let error = try #require(found.error)
                        #expect(
                            error.name == "PresignError" && error.source == "network" && error.code == "NetworkError")
                        #expect(error.message == "no response from the presign service at \(service.origin)")
                        #expect(error.recoverySuggestion?.contains("CORS rules allow pages of \(page)") == true)
                        #expect(try await browser.complaints().contains { $0.contains("blocked by CORS policy") })
                    }
                }
            }
        }

        @Test("Retries exactly the failures that are safe to retry")
        func retries() async throws {
            try await Browser.open { browser in
                for retry in RetryCase.all {
                    let responses = ["POST": retry.service, "PUT": retry.storage, "OBJECT": retry.object]
                    try await ScriptedServer.run(responses: responses) { site in
                        let page = "http://127.0.0.1:\(site.port)"
                        let options = "{ path: 'a', overwrite: \(!retry.isConditional) }"
                        let found = try await outcome(
                            "return { result: await presign.upload(new Blob(['x']), \(options)) };",
                            on: browser, at: page, "{ endpoint: '\(page)' }")
                        #expect(site.requests == retry.requests, "\(retry)")
                        #expect(found.error?.code == retry.code, "\(retry): \(found)")
                        #expect(found.error == nil || found.error?.name == "PresignError", "\(retry): \(found)")
                        if let message = retry.message { #expect(found.error?.message == message, "\(retry)") }
                        #expect((found.result != nil) == (retry.code == nil), "\(retry)")
                    }
                }
            }
        }

        @Test("Aborting an upload at any stage throws AbortError and sends nothing more")
        func abort() async throws {
            let busy = ScriptedServer.Response(status: 503, retryAfter: 30)
            let demand = ScriptedServer.Response(
                status: 422, body: ##"{"errors":[{"pointer":"#/checksumSHA256","detail":"is needed"}]}"##)
            // When to abort, the responses of the servers, and the expected requests.
            let cases: [(script: String, service: [ScriptedServer.Response], requests: [String])] = [
                ("stages.signing = abort", [], []),
                ("stages.uploading = abort", [], ["POST"]),
                ("stages.pausing = abort", [], ["POST", "PUT"]),
                // A file whose reading never ends, as on a slow disk.
                (
                    "file.arrayBuffer = () => { setTimeout(abort); return new Promise(() => {}); }", [demand],
                    ["POST"]
                ),
                // Not caused by the signal: a browser may abort when the user leaves the page.
                (
                    "XMLHttpRequest.prototype.send = function () { this.dispatchEvent(new ProgressEvent('abort')); }",
                    [], ["POST"]
                ),
            ]
            try await Browser.open { browser in
                for (script, service, requests) in cases {
                    try await ScriptedServer.run(responses: ["POST": service, "PUT": [busy]]) { site in
                        let page = "http://127.0.0.1:\(site.port)"
                        let found = try await outcome(
                            """
                            const controller = new AbortController();
                            const { signal } = controller, file = new Blob(['x']), stages = {};
                            const abort = () => controller.abort(), onStage = (stage) => stages[stage]?.();
                            \(script);
                            return { result: await presign.upload(file, { path: 'a', onStage, signal }) };
                            """, on: browser, at: page, "{ endpoint: '\(page)' }")
                        #expect(found.error?.name == "AbortError", "\(script)")
                        #expect(site.requests == requests, "\(script)")
                    }
                }
            }
        }
    }
}

/// The responses of the two servers, and the expected result of presign.js.
struct RetryCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var service: [ScriptedServer.Response] = []
    var storage: [ScriptedServer.Response] = []
    /// The responses to HEAD and GET of the object, one after the other.
    var object: [ScriptedServer.Response] = []
    var isConditional = false
    let requests: [String]
    /// The code of the error; nil if the upload succeeds.
    var code: String?
    /// The message of the error, where it matters.
    var message: String?

    static let all = [
        RetryCase(
            testDescription: "a request to an overloaded service is retried after its Retry-After",
            service: [.init(status: 503, retryAfter: 1), .init(status: 502)], requests: ["POST", "POST", "POST", "PUT"]),
        RetryCase(
            testDescription: "a Retry-After of hours is not waited for",
            service: [.init(status: 429, retryAfter: 7200)], requests: ["POST"], code: "UnexpectedResponse"),
        RetryCase(
            testDescription: "a request to the service is sent at most four times",
            service: .init(repeating: .init(status: 504), count: 9), requests: .init(repeating: "POST", count: 4),
            code: "UnexpectedResponse"),
        RetryCase(
            testDescription: "a rejection is not retried", service: [.init(status: 403)], requests: ["POST"],
            code: "UnexpectedResponse"),
        RetryCase(
            testDescription: "an upload is retried if the storage is busy",
            storage: [.init(status: 503, code: "SlowDown"), .init(status: 400, code: "RequestTimeout")],
            requests: ["POST", "PUT", "PUT", "PUT"]),
        RetryCase(
            testDescription: "an upload with an unknown result is retried if it may replace the object",
            storage: [.init(status: 500, code: "InternalError")], requests: ["POST", "PUT", "PUT"]),
        RetryCase(
            testDescription: "a create-only upload with an unknown result is retried if there is no object",
            storage: [.init(status: 500, code: "InternalError")], isConditional: true,
            requests: ["POST", "PUT", "POST", "HEAD", "PUT"]),
        RetryCase(
            testDescription: "a create-only upload with an unknown result is not retried if the page may not look",
            service: [.granted, .init(status: 403)], storage: [.init(status: 500, code: "InternalError")],
            isConditional: true, requests: ["POST", "PUT", "POST"], code: "OutcomeUnknown",
            message: "the upload may have succeeded, but the storage's response was lost"),
        RetryCase(
            testDescription: "a create-only upload whose response was lost succeeds if the object has the content",
            storage: [.init(status: 500, code: "InternalError")],
            object: [.init(status: 200, body: "x"), .init(status: 200, body: "x")], isConditional: true,
            requests: ["POST", "PUT", "POST", "HEAD", "POST", "GET"]),
        RetryCase(
            testDescription: "an object with other content was created by another upload",
            storage: [.init(status: 500, code: "InternalError")],
            object: [.init(status: 200, body: "y"), .init(status: 200, body: "y")], isConditional: true,
            requests: ["POST", "PUT", "POST", "HEAD", "POST", "GET"], code: "PreconditionFailed"),
        RetryCase(
            testDescription: "a second attempt that meets the object of the first one succeeds",
            storage: [.init(status: 500, code: "InternalError"), .init(status: 412, code: "PreconditionFailed")],
            object: [.init(status: 404), .init(status: 200, body: "x"), .init(status: 200, body: "x")],
            isConditional: true,
            requests: ["POST", "PUT", "POST", "HEAD", "PUT", "POST", "HEAD", "POST", "GET"]),
        RetryCase(
            testDescription: "an upload that certainly failed is retried, even if it is create-only",
            storage: [.init(status: 503, code: "SlowDown"), .init(status: 409, code: "ConditionalRequestConflict")],
            isConditional: true, requests: ["POST", "PUT", "PUT", "PUT"]),
        RetryCase(
            testDescription: "a create-only upload is not retried blindly after a 503 from a proxy",
            service: [.granted, .init(status: 403)], storage: [.init(status: 503, body: "<html>busy</html>")],
            isConditional: true, requests: ["POST", "PUT", "POST"], code: "OutcomeUnknown"),
        RetryCase(
            testDescription: "an upload that may replace the object is retried after a 503 from a proxy",
            storage: [.init(status: 503, body: "<html>busy</html>")], requests: ["POST", "PUT", "PUT"]),
        RetryCase(
            testDescription: "a conflicting upload is not reported as an existing object",
            storage: .init(repeating: .init(status: 409, code: "OperationAborted"), count: 9), isConditional: true,
            requests: ["POST", "PUT", "PUT", "PUT", "PUT"], code: "OperationAborted", message: "So & so"),
        RetryCase(
            testDescription: "an existing object is reported",
            storage: [.init(status: 412, code: "PreconditionFailed")], isConditional: true,
            requests: ["POST", "PUT"], code: "PreconditionFailed", message: "an object already exists at this path"),
        RetryCase(
            testDescription: "a gateway's error format does not prevent a retry",
            service: [.init(status: 503, body: #"{"errors":[{"message":"x"},null]}"#)],
            requests: ["POST", "POST", "PUT"]),
        RetryCase(
            testDescription: "members with unexpected types are ignored",
            service: [.init(status: 422, body: #"{"errors":{"a":1},"detail":7,"code":{},"requestId":[]}"#)],
            requests: ["POST"], code: "UnexpectedResponse", message: "the presign service responded with status 422"),
        RetryCase(
            testDescription: "a response without headers is invalid",
            service: [
                .init(status: 200, body: #"{"url":"http://127.0.0.1/","method":"PUT","headers":null,"expiresIn":9}"#)
            ], requests: ["POST"], code: "UnexpectedResponse"),
        RetryCase(
            testDescription: "a response without an absolute URL is invalid",
            service: [.init(status: 200, body: #"{"url":"/a","method":"PUT","headers":{},"expiresIn":9}"#)],
            requests: ["POST"], code: "UnexpectedResponse"),
        RetryCase(
            testDescription: "an expired URL is replaced",
            storage: [.init(status: 400, code: "ExpiredToken")], requests: ["POST", "PUT", "POST", "PUT"]),
        RetryCase(
            testDescription: "a URL that is always expired is replaced three times",
            storage: .init(repeating: .init(status: 400, code: "ExpiredToken"), count: 9),
            requests: ["POST", "PUT", "POST", "PUT", "POST", "PUT", "POST", "PUT"], code: "ExpiredToken"),
        RetryCase(
            testDescription: "a wrong signature is not retried",
            storage: [.init(status: 403, code: "SignatureDoesNotMatch")], requests: ["POST", "PUT"],
            code: "SignatureDoesNotMatch"),
    ]
}
