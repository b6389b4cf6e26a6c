import Foundation
import Testing

extension BrowserTests {
    @Suite("Interrupted uploads on the page")
    struct PageConnectionTests {
        @Test(
            "Offline, uploads wait and say so; online, they continue by themselves",
            arguments: Browser.Kind.allCases)
        func offline(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, complaints: ["ERR_INTERNET_DISCONNECTED", "404"]) { scenario in
                let browser = scenario.browser
                let file = try scenario.file("a.bin", count: 400_000)
                try await browser.setOffline(true)
                try await browser.choose([file])
                try await scenario.wait(for: "offline", of: "a.bin")
                #expect(try await scenario.text(of: "a.bin").contains("Offline"))
                #expect(try await scenario.text(in: "#summary").contains("Waiting for the network"))
                try await browser.expectAccessible("offline")
                try await browser.setOffline(false)
                try await scenario.wait(for: "done", of: "a.bin")
                #expect(try await scenario.stored("a.bin") == Data(contentsOf: file))
            }
        }

        @Test(
            "After a reload, an interrupted upload continues with the same file, and no other",
            arguments: Browser.Kind.allCases)
        func reload(kind: Browser.Kind) async throws {
            try await PageScenario.run(
                in: kind, fragment: "key=%&folder=films", complaints: ["beforeunload", "404"]
            ) { scenario in
                let browser = scenario.browser
                let film = try scenario.file("film.mp4", count: 40_000_000)
                try await scenario.holdUploads()
                try await browser.choose([film])
                try await browser.wait(until: "gate.held.length >= 3")
                try await scenario.releaseUploads(1)
                try await browser.wait(
                    until: "/4[0-9] %/.test(\(scenario.row("films/film.mp4")).querySelector('.state').textContent)")
                try await scenario.open("folder=films")
                try await scenario.wait(for: "interrupted", of: "films/film.mp4")
                let text = try await scenario.text(of: "films/film.mp4")
                #expect(text.contains("Interrupted at 4"), "\(text)")
                #expect(try await scenario.actions(of: "films/film.mp4") == ["choose", "remove"])
                try await browser.expectAccessible("interrupted")
                try await scenario.holdUploads()
                try await scenario.releaseUploads()
                // A driver cannot operate the system's dialog.
                try await browser.run(
                    "document.querySelector('#files').addEventListener('click', (event) => event.preventDefault())")
                try await scenario.click("choose", of: "films/film.mp4")
                try await browser.choose([try scenario.file("film.mp4")])
                try await browser.wait(
                    until: "\(scenario.row("films/film.mp4")).innerText.includes('is not the interrupted version')")
                try await browser.choose([film])
                try await scenario.wait(for: "done", of: "films/film.mp4")
                #expect(try await scenario.sentUploads == 2)
                #expect(try await scenario.stored("films/film.mp4") == Data(contentsOf: film))
            }
        }

        @Test("An interrupted upload can be removed, with its parts")
        func removeInterrupted() async throws {
            try await PageScenario.run(complaints: ["beforeunload", "404"]) { scenario in
                let browser = scenario.browser
                try await scenario.holdUploads()
                try await browser.choose([try scenario.file("film.mp4", count: 20_000_000)])
                try await browser.wait(until: "gate.held.length === 2")
                try await scenario.open("")
                try await scenario.wait(for: "interrupted", of: "film.mp4")
                try await scenario.click("remove", of: "film.mp4")
                try await browser.wait(until: "document.querySelectorAll('#list .file').length === 0")
                try await scenario.open("")
                try await browser.wait(until: "document.querySelector('#listing').ariaBusy === 'false'")
                try await Task.sleep(for: .milliseconds(300))
                #expect(try await scenario.isVisible("#uploads") == false)
            }
        }
    }
}
