import Foundation
import Testing

/// The service with its local storage, and a browser that shows the upload page.
struct PageScenario: Sendable {
    let browser: Browser
    /// `http://host:port` of the service.
    let origin: String
    let key: String
    /// A folder for the files to upload.
    let directory: URL

    /// Opens the page, runs the body, and expects exactly these lines in the console.
    ///
    /// - Parameters:
    ///   - fragment: The fragment of the page's URL; the API key if nil.
    ///   - complaints: A part of each console line, in order; browsers report every rejected request.
    static func run(
        fragment: String? = nil, complaints: [String] = [], _ body: (PageScenario) async throws -> Void
    ) async throws {
        try await LocalService.run { service in
            try await withTemporaryDirectory { directory in
                try await Browser.open { browser in
                    let scenario = PageScenario(
                        browser: browser, origin: service.origin, key: service.key, directory: directory)
                    try await browser.go(to: "\(service.origin)/#\(fragment ?? "key=\(service.key)")")
                    try await body(scenario)
                    let found = try await browser.complaints()
                    #expect(found.count == complaints.count, "\(found)")
                    for (line, part) in zip(found, complaints) { #expect(line.contains(part)) }
                }
            }
        }
    }

    /// A file with unique content.
    func file(_ name: String, count: Int) throws -> URL {
        let url = directory.appending(path: name)
        try Data((0..<count).map { _ in UInt8.random(in: .min ... .max) }).write(to: url)
        return url
    }

    /// The row of a path, as a JavaScript expression.
    func row(_ path: String) -> String {
        "[...document.querySelectorAll('.file')].find((row) => row.querySelector('.path').textContent === '\(path)')"
    }

    func wait(for state: String, of path: String) async throws {
        try await browser.wait(until: "\(row(path))?.dataset.state === '\(state)'")
    }

    /// Clicks a button of the row: `cancel`, `retry`, `copy`, `download`.
    func click(_ action: String, of path: String) async throws {
        try await browser.run("\(row(path)).querySelector('[data-action=\(action)]').click()")
    }

    /// The visible text of the row.
    func text(of path: String) async throws -> String {
        try await browser.evaluate("return \(row(path)).innerText")
    }

    /// Whether the row's button downloads exactly this content.
    func downloads(_ path: String, as content: Data) async throws -> Bool {
        try await click("download", of: path)
        let name = String(path.split(separator: "/").last ?? "")
        return try await browser.downloaded(name, count: content.count) == content
    }
}
