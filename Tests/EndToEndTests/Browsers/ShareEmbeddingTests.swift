import Foundation
import Testing

extension Browsers {
    @Suite("Share links in pages of other sites", .realParts)
    struct ShareEmbeddingTests {
        private static let image = """
            <svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>
            """

        /// A minute of silence: 8-bit samples at 44,100 Hz, so that seeking to its end needs a range.
        static let sound: Data = {
            let (rate, count) = (44_100, 44_100 * 60)
            let number = { (value: Int, size: Int) in
                Data((0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
            }
            var data = Data("RIFF".utf8) + number(36 + count, 4) + Data("WAVEfmt ".utf8) + number(16, 4)
            data += number(1, 2) + number(1, 2) + number(rate, 4) + number(rate, 4) + number(1, 2) + number(8, 2)
            return data + Data("data".utf8) + number(count, 4) + Data(repeating: 128, count: count)
        }()

        @Test(
            "An image is shown, and a video element plays and seeks with ranges",
            arguments: StorageKind.atLeast(.seaweedfs), Browser.Kind.allCases)
        func embedded(kind: StorageKind, browser: Browser.Kind) async throws {
            try await LoggingProxy.watching(kind.server) { proxy in
                let store = ["publicEndpoint": "http://127.0.0.1:\(proxy.port)"]
                try await ShareLinkTests.run(on: kind, store: store) { scenario in
                    try await scenario.put(Self.image, at: "shared/cat.svg", ["contentType": "image/svg+xml"])
                    let sent = try await scenario.grant("PUT", "shared/a.wav", ["contentType": "audio/wav"]).send(
                        Self.sound)
                    try #require(sent.status == 200)
                    let image = try await scenario.share("GET", "shared/cat.svg")
                    let video = try await scenario.share("GET", "shared/a.wav")
                    try await ScriptedServer.run { site in
                        try await Browser.open(browser) { browser in
                            try await browser.go(to: "http://127.0.0.1:\(site.port)")
                            let shown: [Int] = try await browser.evaluate(Self.script(image, video))
                            #expect(shown == [8, 60, 55])
                        }
                    }
                    let ranges = try proxy.exchanges.filter { $0.path.hasSuffix("a.wav") && $0.method == "GET" }
                    #expect(ranges.contains { $0.status == 206 })
                }
            }
        }

        /// Returns the image's width, and the video's duration and position after seeking, in seconds.
        private static func script(_ image: String, _ video: String) -> String {
            """
            const until = (node, type) => new Promise((resolve, reject) => {
              node.addEventListener(type, resolve, { once: true });
              node.addEventListener("error", () => reject(new Error(`${node.tagName}: ${node.error?.message}`)));
            });
            return (async () => {
              const image = new Image(), video = document.createElement("video");
              const loaded = [until(image, "load"), until(video, "loadedmetadata")];
              image.src = "\(image)";
              video.src = "\(video)";
              document.body.append(image, video);
              await Promise.all(loaded);
              const found = until(video, "seeked");
              video.currentTime = 55;
              await found;
              return [image.naturalWidth, Math.round(video.duration), Math.round(video.currentTime)];
            })();
            """
        }
    }
}
