import Foundation
import TestSupport
import Testing

extension Pages {
    @Suite("Uploads with the page")
    struct PageUploadTests {
        @Test(
            "Thirty files: one overall progress, six uploads at once, and a bar only in rows that move",
            arguments: Browser.Kind.atLeast(.firefox))
        func manyFiles(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, fragment: "key=%&folder=many", complaints: ["404"]) { scenario in
                let browser = scenario.browser
                let files = try (1...30).map { try scenario.file("report-\($0).pdf", count: 20_000) }
                try await scenario.browser.holdUploads()
                try await browser.choose(files)
                try await scenario.wait(for: "uploading", count: 6)
                try await scenario.browser.releaseUploads(10)
                try await scenario.wait(for: "done", count: 10)
                try await scenario.wait(for: "uploading", count: 6)
                let summary = try await scenario.text(in: "#summary")
                #expect(summary == "Uploading, 10 of 30 files done")
                let overall: Double = try await browser.evaluate("return document.querySelector('#overall').value")
                #expect((0.3...0.4).contains(overall))
                let bars: [String] = try await browser.evaluate(Self.rowsWithBars)
                #expect(bars == ["uploading"])
                let heights: [Int] = try await browser.evaluate(
                    "return [...new Set([...document.querySelectorAll('#list .file')].map((row) => row.offsetHeight))]")
                #expect(heights.count == 1 && heights[0] <= 48, "\(heights)")
                try await browser.expectAccessible("moving")

                try await browser.click("#pause")
                try await scenario.wait(for: "uploading", count: 0)
                #expect(try await scenario.text(in: "#summary") == "Paused, 10 of 30 files done")
                #expect(try await browser.evaluate(Self.rowsWithBars, as: [String].self) == [])
                try await browser.expectAccessible("paused")
                try await browser.click("#resume")
                try await scenario.wait(for: "uploading", count: 6)
                try await scenario.browser.releaseUploads(5)
                try await scenario.wait(for: "done", count: 15)
                try await browser.click("#cancel")
                try await scenario.wait(for: "cancelled", count: 15)
                #expect(try await scenario.browser.sentUploads == 15)
                #expect(try await scenario.text(in: "#summary") == "15 files uploaded, 15 cancelled")
                try await browser.show(.narrow)
                let overlaps: Bool = try await browser.evaluate(Self.hasOverlap)
                #expect(overlaps == false)
                try await browser.show(.light)
                try await browser.click("#clear")
                try await scenario.wait(for: "done", count: 0)
                #expect(try await scenario.isVisible("#uploads") == false)
            }
        }

        /// Whether a state is under the buttons of its row, or is truncated.
        private static let hasOverlap = """
            return [...document.querySelectorAll('#list .file')].some((row) => {
              const state = row.querySelector('.state'), buttons = row.querySelector('.actions');
              const [text, area] = [state, buttons].map((part) => part.getBoundingClientRect());
              // On phones, the buttons are below.
              const isUnder = text.right > area.left + 1 && text.bottom > area.top + 1;
              return row.dataset.state !== 'done' && (isUnder || state.scrollWidth > state.clientWidth);
            })
            """

        /// The states of the rows that show a progress bar.
        private static let rowsWithBars = """
            return [...new Set([...document.querySelectorAll('#list .file')]
              .filter((row) => row.querySelector('progress')?.checkVisibility()).map((row) => row.dataset.state))]
            """

        @Test(
            "Each upload, of a chosen or a dropped file, can be paused, resumed, cancelled and retried",
            arguments: Browser.Kind.atLeast(.chromium))
        func eachFile(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, complaints: ["404"]) { scenario in
                let files = try ["a.bin", "b.bin"].map { try scenario.file($0, count: 400_000) }
                try await scenario.browser.holdUploads()
                try await scenario.browser.choose(files)
                try await scenario.wait(for: "uploading", count: 2)
                #expect(try await scenario.actions(of: "a.bin") == ["pause", "cancel"])
                try await scenario.browser.wait(until: "gate.held.length === 2")
                try await scenario.browser.showProgress(1)
                let label = Self.label("pause", of: "a.bin", in: scenario)
                try await scenario.browser.wait(until: "\(label) === 'Pause (this file starts again) a.bin'")
                try await scenario.click("pause", of: "a.bin")
                try await scenario.wait(for: "paused", of: "a.bin")
                try await scenario.click("cancel", of: "b.bin")
                try await scenario.wait(for: "cancelled", of: "b.bin")
                try await scenario.browser.releaseUploads()
                try await scenario.click("resume", of: "a.bin")
                try await scenario.wait(for: "done", of: "a.bin")
                #expect(try await scenario.stored("a.bin") == Data(contentsOf: files[0]))
                #expect(try await scenario.actions(of: "b.bin") == ["retry", "remove"])
                try await scenario.click("retry", of: "b.bin")
                try await scenario.wait(for: "done", of: "b.bin")
                #expect(try await scenario.stored("b.bin") == Data(contentsOf: files[1]))
                try await scenario.browser.expectAccessible("done")
                try await scenario.browser.holdUploads()
                for _ in 0..<2 { try await scenario.browser.run(Self.drop) }
                try await scenario.wait(for: "uploading", of: "dropped.txt")
                #expect(try await scenario.announced.contains("dropped.txt is already in the list."))
                try await scenario.browser.releaseUploads()
                try await scenario.wait(for: "done", count: 3)
                #expect(try await scenario.stored("dropped.txt") == Data("dropped".utf8))
            }
        }

        private static func label(_ action: String, of name: String, in scenario: PageScenario) -> String {
            "\(scenario.row(name)).querySelector('[data-action=\(action)]').getAttribute('aria-label')"
        }

        @Test(
            "A pause says that it waits for a part, and then shows what is kept",
            arguments: Browser.Kind.atLeast(.firefox))
        func pausing(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, complaints: ["404"]) { scenario in
                let browser = scenario.browser
                try await browser.holdUploads()
                try await browser.choose([try scenario.file("film.mp4", count: 40_000_000)])
                try await browser.wait(until: "gate.held.length === 6")
                let label: String = try await browser.evaluate(
                    "return \(Self.label("pause", of: "film.mp4", in: scenario))")
                #expect(label == "Pause film.mp4")
                try await browser.showProgress((5 << 20) - 1)
                // However slow the test is, the pause must not end first.
                try await browser.run(
                    """
                    const { setTimeout } = window;
                    window.setTimeout = (action, delay) => setTimeout(action, delay === 20_000 ? 1e9 : delay);
                    """)
                try await browser.click("#pause")
                try await scenario.wait(for: "pausing", of: "film.mp4")
                #expect(try await scenario.text(of: "film.mp4").contains("Pausing …"))
                #expect(try await scenario.text(in: "#summary") == "Pausing, 0 of 1 file done")
                #expect(try await scenario.actions(of: "film.mp4") == ["resume", "cancel"])
                try await browser.releaseUploads(1)
                try await scenario.wait(for: "paused", of: "film.mp4")
                #expect(try await scenario.text(of: "film.mp4").contains("Paused, 13 %"))
                #expect(try await scenario.text(in: "#summary") == "Paused, 0 of 1 file done")
                try await browser.releaseUploads()
                try await browser.click("#resume")
                try await scenario.wait(for: "done", of: "film.mp4")
                #expect(try await browser.sentParts == Array(1...8))
            }
        }

        @Test("Progress, speed and remaining time are shown, and progress never decreases")
        func progress() async throws {
            try await PageScenario.run(complaints: ["404"]) { scenario in
                let browser = scenario.browser
                try await browser.run(Self.recorder)
                try await browser.limitUploads(to: 200_000)
                try await browser.choose(try ["a.bin", "b.bin"].map { try scenario.file($0, count: 900_000) })
                try await scenario.wait(for: "done", count: 2)
                let record: Record = try await browser.evaluate("return record")
                #expect(record.values.contains { $0 > 0 && $0 < 1 } && record.values == record.values.sorted())
                let pace = /\d+ % · [\d.]+ [KM]iB of 1\.8 MiB · [\d.]+ [KM]iB\/s · \d+ s left/
                #expect(record.paces.contains { $0.contains(pace) }, "\(record.paces)")
            }
        }

        private struct Record: Decodable { let values: [Double], paces: [String] }

        private static let recorder = """
            window.record = { values: [0], paces: [] };
            setInterval(() => {
              const { value, hidden } = document.querySelector('#overall');
              const pace = document.querySelector('#pace').innerText.replaceAll('\\u00a0', ' ');
              if (!hidden && record.values.at(-1) !== value) record.values.push(value);
              if (record.paces.at(-1) !== pace) record.paces.push(pace);
            }, 20);
            """

        /// Drops a file on the page.
        static let drop = """
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }));
            for (const type of ['dragenter', 'dragover', 'drop']) {
              const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
              document.querySelector('main').dispatchEvent(event);
            }
            """

        @Test("A URL that expires before the upload starts is replaced, and the upload succeeds")
        func expiredURL() async throws {
            try await PageScenario.run(fragment: "key=%&folder=short", complaints: ["403"]) { scenario in
                let file = try scenario.file("late.txt", count: 1000)
                try await scenario.browser.holdUploads()
                try await scenario.browser.choose([file])
                try await scenario.browser.wait(until: "gate.held.length === 1")
                // The rule's URLs expire after one second. One that is signed later expires later.
                let later = try await scenario.grant("short/late.txt")
                #expect(try await eventually { try await later.send().status == 403 })
                try await scenario.browser.releaseUploads()
                try await scenario.wait(for: "done", of: "short/late.txt")
                #expect(try await scenario.stored("short/late.txt") == Data(contentsOf: file))
            }
        }

        @Test("The page sends a checksum if the rule requires one")
        func checksum() async throws {
            try await PageScenario.run(fragment: "key=%&folder=sums", complaints: ["422"]) { scenario in
                let file = try scenario.file("data.csv", count: 100_000)
                try await scenario.browser.choose([file])
                try await scenario.wait(for: "done", of: "sums/data.csv")
                #expect(try await scenario.stored("sums/data.csv") == Data(contentsOf: file))
            }
        }
    }
}
