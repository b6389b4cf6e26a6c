import Foundation
import TestSupport
import Testing

extension Browsers {
    @Suite(
        "Private images and videos by plain tags", .realParts,
        .enabled("needs the local storage") { StorageKind.present.contains(.local) })
    struct PrivateImageTests {
        @Test("50 images take at most two batches, and none on the next page", arguments: Browser.Kind.allCases)
        func images(kind: Browser.Kind) async throws {
            try await ImageSite.run(in: kind) { site in
                for index in 0..<50 { try await site.put("alice/\(index).svg") }
                try await site.signIn("alice")
                try await site.register()
                // The first batch waits until the worker has received all 50 requests.
                let all = "Promise.all(Array.from({ length: 50 }, (_, index) => show('img', `alice/${index}.svg`)))"
                let shown: [Bool] = try await site.browser.evaluate("return ask({ hold: 50 }).then(() => \(all))")
                #expect(shown.allSatisfy { $0 })
                let batches = try await site.count("/presign/batch", 200)
                #expect(1...2 ~= batches)
                #expect(try await eventually { try site.proxy.exchanges.count { $0.method == "GET" } == 50 })

                // The page uses a URL again while it lives.
                #expect(try await site.shows("alice/7.svg", ImageSite.crossOrigin))
                #expect(try await site.requests() == [batches, 0, 0])

                // The next page gets the same URLs, whose responses the browser has.
                try await site.open()
                try await site.signIn("alice")
                try await site.register()
                let again: [Bool] = try await site.browser.evaluate("return \(all)")
                #expect(again.allSatisfy { $0 })
                #expect(try await site.requests()[2] == 0)
                #expect(try site.proxy.exchanges.count { $0.method == "GET" && $0.path.hasSuffix("/1.svg") } == 1)
            }
        }

        @Test("A video plays and seeks with ranges of the storage", arguments: Browser.Kind.allCases)
        func video(kind: Browser.Kind) async throws {
            try await ImageSite.run(in: kind) { site in
                let sent = try await site.scenario.grant("PUT", "alice/a.wav", ["contentType": "audio/wav"])
                    .send(ShareEmbeddingTests.sound)
                try #require(sent.status == 200)
                try await site.signIn("alice")
                try await site.register()
                // Firefox gives other requests of videos to no worker.
                for members in [ImageSite.crossOrigin] + (kind == .chromium ? ["{}"] : []) {
                    #expect(try await site.shows("alice/a.wav", with: "video", members), "\(members)")
                    let position: Double = try await site.browser.evaluate(
                        """
                        const video = [...document.querySelectorAll('video')].at(-1);
                        return new Promise((resolve) => {
                          video.onseeked = () => resolve(video.currentTime);
                          video.onerror = () => resolve(-1);
                          video.currentTime = 55;
                        });
                        """)
                    #expect(position == 55, "\(members)")
                }
                #expect(try await site.requests() == [1, 0, 0])
                #expect(
                    try await eventually {
                        try site.proxy.exchanges.contains {
                            $0.path.hasSuffix("a.wav") && $0.range != nil && $0.status == 206
                        }
                    })
            }
        }

        @Test("A token that has ended is replaced by the page's next one", arguments: Browser.Kind.atLeast(.chromium))
        func endedToken(kind: Browser.Kind) async throws {
            try await ImageSite.run(in: kind) { site in
                for name in ["a", "b", "c"] { try await site.put("alice/\(name).svg") }
                let (valid, ended) = (ImageSite.token("alice"), ImageSite.token("alice", isExpired: true))
                try await site.signIn("alice")
                try await site.register()
                #expect(try await site.shows("alice/a.svg"))
                #expect(try await site.requests() == [1, 0, 0])
                try await site.browser.run("window.tokens = ['\(ended)', '\(valid)']")
                #expect(try await site.shows("alice/b.svg"))
                #expect(try await site.requests() == [2, 1, 0])
                // Without another one the request goes on to the service.
                try await site.browser.run("window.tokens = ['\(ended)']")
                #expect(try await site.shows("alice/c.svg") == false)
                #expect(try await site.requests() == [2, 2, 1])
            }
        }

        @Test(
            "After signing out, and for the next user, nothing is shown any more",
            arguments: Browser.Kind.atLeast(.firefox))
        func signOut(kind: Browser.Kind) async throws {
            try await ImageSite.run(in: kind) { site in
                for path in ["alice/a.svg", "alice/b.svg", "bob/a.svg"] { try await site.put(path) }
                try await site.signIn("alice")
                try await site.register()
                #expect(try await site.shows("alice/a.svg"))
                try await site.signIn(nil)
                #expect(try await site.shows("alice/a.svg", ImageSite.crossOrigin) == false)
                #expect(try await site.shows("alice/b.svg") == false)
                #expect(try await site.requests() == [1, 0, 2])
                try await site.signIn("bob")
                #expect(try await site.shows("bob/a.svg"))
                #expect(try await site.shows("alice/a.svg", ImageSite.crossOrigin) == false)
                #expect(try await site.requests() == [3, 0, 3])
            }
        }

        @Test("Two tabs with two users show the images of their own", arguments: Browser.Kind.allCases)
        func twoTabs(kind: Browser.Kind) async throws {
            try await ImageSite.run(in: kind) { site in
                for path in ["alice/a.svg", "alice/b.svg", "bob/a.svg"] { try await site.put(path) }
                try await site.signIn("alice")
                try await site.register()
                #expect(try await site.shows("alice/a.svg"))
                let first = try await site.browser.tab
                try await site.browser.openTab()
                try await site.open()
                try await site.signIn("bob")
                try await site.register()
                #expect(try await site.shows("bob/a.svg"))
                #expect(try await site.shows("alice/a.svg", ImageSite.crossOrigin) == false)
                try await site.browser.switchTo(first)
                #expect(try await site.shows("alice/b.svg"))
                #expect(try await site.shows("bob/a.svg", ImageSite.crossOrigin) == false)
            }
        }

        @Test("A worker that was stopped asks for the token again", arguments: Browser.Kind.atLeast(.chromium))
        func stopped(kind: Browser.Kind) async throws {
            try await ImageSite.run(in: kind) { site in
                for name in ["a", "b"] { try await site.put("alice/\(name).svg") }
                try await site.signIn("alice")
                try await site.register()
                #expect(try await site.shows("alice/a.svg"))
                let identifier: String = try await site.browser.evaluate("return ask({ who: true })")
                try await site.browser.stopWorkers()
                #expect(try await site.shows("alice/b.svg"))
                #expect(try await site.browser.evaluate("return ask({ who: true })", as: String.self) != identifier)
            }
        }

        @Test("Only requests of tags for links are handled", arguments: Browser.Kind.atLeast(.firefox))
        func untouched(kind: Browser.Kind) async throws {
            try await ImageSite.run(in: kind) { site in
                try await site.put("alice/a.svg")
                try await site.signIn("alice")
                try await site.register()
                // A script, another method, and a path that is not valid.
                for (index, request) in [
                    "fetch(link('alice/a.svg'))", "fetch(link('alice/a.svg'), { method: 'HEAD' })",
                    "show('img', '%ff')",
                ].enumerated() {
                    try await site.browser.run("return \(request).then(() => null)")
                    #expect(try await site.requests() == [0, 0, index + 1], "\(request)")
                }
            }
        }

        /// The result of registering the worker.
        private static func registered(_ site: ImageSite, _ options: String = "{}") async throws -> String {
            try await site.browser.evaluate(
                """
                return presign.registerWorker('/worker.js', \(options))
                  .then(() => "registered", ({ name, message }) => `${name}: ${message}`);
                """)
        }

        /// The worker of a folder.
        private static func script(of folder: String, _ site: ImageSite) async throws -> String {
            try await site.browser.evaluate(
                """
                return navigator.serviceWorker.getRegistration('\(folder)')
                  .then(({ active, waiting, installing }) => (active ?? waiting ?? installing).scriptURL);
                """)
        }

        @Test("A scope in which another worker is active is not claimed", arguments: Browser.Kind.atLeast(.chromium))
        func otherWorker(kind: Browser.Kind) async throws {
            try await ImageSite.run(in: kind) { site in
                try await site.browser.run(
                    """
                    return navigator.serviceWorker.register('/other.js').then(() => navigator.serviceWorker.ready)
                      .then(() => null);
                    """)
                let refusal = try await Self.registered(site)
                #expect(refusal.hasPrefix("InvalidStateError: "))
                #expect(refusal.contains("has the service worker \(site.page)other.js: run importScripts"))
                #expect(try await Self.script(of: "/", site) == "\(site.page)other.js")
            }
        }

        @Test("A worker for other pages keeps its scope", arguments: Browser.Kind.atLeast(.firefox))
        func narrowerScope(kind: Browser.Kind) async throws {
            try await ImageSite.run(in: kind) { site in
                try await site.browser.run(
                    "return navigator.serviceWorker.register('/other.js', { scope: '/shop/' }).then(() => null)")
                #expect(try await Self.registered(site) == "registered")
                #expect(try await Self.script(of: "/shop/", site) == "\(site.page)other.js")
                let elsewhere = try await Self.registered(site, "{ scope: '/shop/' }")
                #expect(elsewhere.hasPrefix("TypeError: scope: this page is not below \(site.page)shop/"))
            }
        }

        @Test(
            "A worker that gets the line in an update is used from then on", arguments: Browser.Kind.atLeast(.firefox))
        func update(kind: Browser.Kind) async throws {
            try await ImageSite.run(in: kind) { site in
                try await site.put("alice/a.svg")
                try await site.signIn("alice")
                try await site.browser.run("return navigator.serviceWorker.register('/updated.js').then(() => null)")
                try await site.open()
                try await site.browser.wait(until: "navigator.serviceWorker.controller !== null")
                try await site.signIn("alice")
                try await site.browser.run("return presign.registerWorker('/updated.js')")
                #expect(try await site.shows("alice/a.svg"))
                #expect(try await site.requests() == [1, 0, 0])
            }
        }

        @Test("No worker can be registered on the service's own origin", arguments: Browser.Kind.atLeast(.chromium))
        func ownOrigin(kind: Browser.Kind) async throws {
            try await ImageSite.run(in: kind) { site in
                try await site.browser.go(to: "http://\(site.scenario.service.address)/presign.d.ts")
                let outcome: String = try await site.browser.evaluate(
                    """
                    return navigator.serviceWorker.register('/presign-worker.js').then(() => 'registered', ({ name }) => name)
                    """)
                #expect(outcome == "SecurityError" || outcome == "TypeError")
                // Firefox asks twice.
                #expect(try await site.count("page", 403) >= 1)
            }
        }
    }
}
