import Foundation
import Testing

extension Users {
    @Suite("Keyboard, screen readers and motion on the page")
    struct PageAppearanceTests {
        private static let tab = "\u{E004}", enter = "\u{E007}", escape = "\u{E00C}"

        @Test(
            "The keyboard suffices, with a visible focus that is never lost; with reduced motion nothing is animated",
            arguments: Browser.Kind.allCases)
        func keyboard(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, fragment: "", complaints: ["401", "404"]) { scenario in
                let browser = scenario.browser
                try await browser.show(.light)
                try await browser.wait(until: "document.querySelector('#key').checkVisibility()")
                try await move(to: "key", browser)
                try await browser.press(scenario.key + Self.enter)
                try await browser.wait(until: "document.querySelector('#files').checkVisibility()")
                // A driver cannot operate the system's dialog, so the test only checks that it would open.
                try await browser.run(
                    """
                    document.getElementById('files').addEventListener('click', (event) => {
                      event.preventDefault();
                      window.opened = true;
                    })
                    """)
                try await move(to: "files", browser)
                try await browser.press(" ")
                try await browser.wait(until: "window.opened === true")
                try await scenario.browser.holdUploads()
                try await browser.choose([try scenario.file("long.bin", count: 90_000)])
                try await scenario.wait(for: "uploading", of: "long.bin")
                #expect(try await browser.evaluate(Self.movingElements, as: [String].self) == [])
                for (label, state) in [
                    ("Pause (this file starts again) long.bin", "paused"), ("Start again long.bin", "uploading"),
                    ("Cancel long.bin", "cancelled"), ("Retry long.bin", "uploading"),
                ] {
                    try await move(to: label, browser)
                    try await browser.press(Self.enter)
                    try await scenario.wait(for: state, of: "long.bin")
                    #expect(try await focus(browser) != "", "the focus is lost after \(label)")
                }
                try await scenario.browser.releaseUploads()
                try await scenario.wait(for: "done", of: "long.bin")
                // One line replaces the list of uploaded files.
                try await browser.wait(until: "document.activeElement.id === 'show'")
                try await browser.press(Self.enter)
                try await browser.wait(until: "document.querySelector('#list').checkVisibility()")
                try await move(to: "Link long.bin", browser)
                try await browser.press(Self.enter)
                try await browser.wait(until: "document.querySelector('#address').value !== ''")
                try await browser.press(Self.escape)
                try await browser.wait(until: "!document.querySelector('#link').open")
                #expect(try await focus(browser) == "Link long.bin")
                try await move(to: "Remove long.bin", browser)
                try await browser.press(Self.enter)
                try await scenario.wait(for: "done", count: 0)
                #expect(try await focus(browser) != "", "the focus is lost with the last row")
                #expect(try await scenario.announced.contains("long.bin: Uploaded"))
            }
        }

        /// Presses the tab key until the element with this id or label has the focus.
        private func move(to target: String, _ browser: Browser) async throws {
            var stops = [try await focus(browser)]
            for _ in 0..<30 {
                if stops.last == target { return }
                try await browser.press(Self.tab)
                stops.append(try await focus(browser))
                if let stop = stops.last, !stop.isEmpty {
                    #expect(try await browser.evaluate(Self.hasVisibleFocus), "\(stop) has no visible focus")
                }
            }
            Issue.record("the tab key does not reach \(target): \(stops)")
        }

        /// The label or the id of the element with the focus; empty if no element has it.
        private func focus(_ browser: Browser) async throws -> String {
            try await browser.evaluate(
                """
                const { activeElement: element, body } = document;
                return element === body ? '' : element.getAttribute('aria-label') || element.id || element.textContent;
                """)
        }

        /// The label of a file input shows its focus. Firefox shows none while its own controls have the focus.
        private static let hasVisibleFocus = """
            if (!document.hasFocus()) return true;
            const element = document.activeElement;
            const shown = [element, element.nextElementSibling, element.parentElement].filter(Boolean);
            return shown.some((one) => getComputedStyle(one).outlineStyle !== 'none');
            """

        /// Elements with an animation or a transition that takes longer than a frame.
        private static let movingElements = """
            const seconds = (list) =>
              Math.max(...list.split(', ').map((one) => parseFloat(one) * (/ms$/.test(one) ? .001 : 1)));
            return [...document.querySelectorAll('*')].filter((element) => {
              const { transitionDuration, animationName, animationDuration } = getComputedStyle(element);
              return seconds(transitionDuration) > .02 || animationName !== 'none' && seconds(animationDuration) > .02;
            }).map((element) => element.outerHTML.slice(0, 80));
            """

        @Test("Screen readers get names with the file, one heading level after the other, and announcements")
        func names() async throws {
            try await PageScenario.run(fragment: "key=%&folder=images", complaints: ["422"]) { scenario in
                let browser = scenario.browser
                try await browser.wait(until: "document.querySelector('#files').checkVisibility()")
                try await browser.choose([
                    try scenario.file("cat.png"), try scenario.file("dog.png"), try scenario.file("notes.txt"),
                ])
                try await scenario.wait(for: "done", count: 2)
                try await scenario.wait(for: "failed", count: 1)
                let labels: [String] = try await browser.evaluate(
                    """
                    return [...document.querySelectorAll('#list [data-action]')]
                      .map((button) => button.getAttribute('aria-label')).sort()
                    """)
                let expected = ["cat.png", "dog.png"].flatMap { ["Download \($0)", "Link \($0)", "Remove \($0)"] }
                #expect(labels == (expected + ["Remove notes.txt"]).sorted())
                let headings: [String] = try await browser.evaluate(
                    """
                    return [...document.querySelectorAll('h1, h2, h3')].filter((heading) => heading.checkVisibility())
                      .map((heading) => heading.localName)
                    """)
                #expect(headings == ["h1", "h2", "h2"])
                let announced = try await scenario.announced
                #expect(announced.contains("3 files added"))
                #expect(announced.contains { $0.hasPrefix("notes.txt: This type of file is not allowed") })
                #expect(announced.last == "2 files uploaded, 1 failed")
                #expect(announced.count < 8, "\(announced)")
                #expect(try await browser.evaluate("return document.title") == "Files · presign")
            }
        }
    }
}
