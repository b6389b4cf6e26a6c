import Foundation
import TestSupport
import Testing

/// The service with its local storage, and a browser that shows the upload page.
struct PageScenario: Sendable {
    let browser: Browser
    /// `http://host:port` of the service.
    let origin: String
    let key: String
    /// A folder for the files to upload.
    let directory: URL

    /// Opens the page, runs the body, and expects that the console has only these lines.
    ///
    /// - Parameters:
    ///   - host: The name under which the browser opens the page; 127.0.0.1 if nil.
    ///   - fragment: The fragment of the page's URL; `%` is replaced by the API key.
    ///   - guests: Whether guests may do what callers with the key may do.
    ///   - proxy: Whether a proxy may sign users in.
    ///   - listing: Whether the store lists.
    ///   - rules: The access rules; nil for those of most tests.
    ///   - page: The section `page` of the configuration.
    ///   - complaints: Parts of the console lines that may occur. Browsers report every response with an error, such as
    ///     404 to the question whether an object exists.
    static func run(
        in kind: Browser.Kind = .chromium, host: String? = nil, fragment: String = "key=%",
        guests: Bool = false, proxy: Bool = true, listing: Bool = true, rules: String? = nil,
        page: String = "page: true", complaints: [String] = [], _ body: (PageScenario) async throws -> Void
    ) async throws {
        try await LocalService.run(
            hosts: host.map { [$0] } ?? [], guests: guests, proxy: proxy, listing: listing,
            rules: rules, page: page
        ) { service in
            try await withTemporaryDirectory { directory in
                try await Browser.open(kind) { browser in
                    let scenario = PageScenario(
                        browser: browser, origin: service.origin.replacing("127.0.0.1", with: host ?? "127.0.0.1"),
                        key: service.key, directory: directory)
                    try await scenario.open(fragment)
                    try await body(scenario)
                    guard kind == .chromium else { return }
                    let lines = try await browser.complaints()
                    #expect(lines.filter { line in !complaints.contains { line.contains($0) } } == [])
                }
            }
        }
    }

    /// Loads the page anew, and waits until it shows the folder.
    ///
    /// - Parameter fragment: The fragment of its URL; `%` is replaced by the API key.
    func open(_ fragment: String) async throws {
        try await browser.go(to: "about:blank")
        try await browser.go(to: "\(origin)/#\(fragment.replacing("%", with: key))")
        try await browser.wait(until: "document.querySelector('#listing')?.getAttribute('aria-busy') === 'false'")
        try await browser.run(
            """
            const news = document.querySelector('#news'), texts = (nodes) => [...nodes].map((node) => node.textContent);
            window.announced = texts(news.children);
            new MutationObserver((changes) => {
              for (const { addedNodes } of changes) announced.push(...texts(addedNodes));
            }).observe(news, { childList: true });
            """)
    }

    /// A file with unique content.
    func file(_ name: String, count: Int = 10) throws -> URL {
        let folder = directory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let url = folder.appending(path: name)
        // The length of the block is a prime number, so parts of a large file differ.
        let block = Data((0..<min(count, 65_537)).map { _ in UInt8.random(in: .min ... .max) })
        var content = Data(capacity: count)
        while content.count < count { content.append(block.prefix(count - content.count)) }
        try content.write(to: url)
        return url
    }

    /// The row of an upload, as a JavaScript expression.
    func row(_ path: String) -> String {
        """
        [...document.querySelectorAll('#list .file')]
          .find((row) => row.querySelector('.path').textContent === '\(path)')
        """
    }

    func wait(for state: String, of path: String) async throws {
        try await browser.wait(until: "\(row(path))?.dataset.state === '\(state)'")
    }

    /// Waits until this many uploads have the state.
    func wait(for state: String, count: Int) async throws {
        try await browser.wait(until: "document.querySelectorAll('#list [data-state=\(state)]').length === \(count)")
    }

    /// Clicks a button of the row: `pause`, `resume`, `cancel`, `retry`, `replace`, `skip`, `remove`, `link`.
    func click(_ action: String, of path: String) async throws {
        try await browser.run("\(row(path)).querySelector('[data-action=\(action)]').click()")
    }

    /// The actions offered by the row.
    func actions(of path: String) async throws -> [String] {
        try await browser.evaluate(
            """
            return [...\(row(path)).querySelectorAll('[data-action]')].filter((button) => button.checkVisibility())
              .map((button) => button.dataset.action)
            """)
    }

    /// The visible text of the row.
    func text(of path: String) async throws -> String {
        try await browser.evaluate("return \(row(path)).innerText.replaceAll('\\u00a0', ' ')")
    }

    /// The visible text of the first element; empty if it is hidden.
    func text(in selector: String) async throws -> String {
        try await browser.evaluate(
            """
            const found = document.querySelector('\(selector)');
            return found.checkVisibility() ? found.innerText.replaceAll('\\u00a0', ' ') : '';
            """)
    }

    func isVisible(_ selector: String) async throws -> Bool {
        try await browser.evaluate("return document.querySelector('\(selector)')?.checkVisibility() === true")
    }

    /// The texts announced to screen readers since `open`, of which the page keeps only the last; that one in a document
    /// that was loaded otherwise.
    var announced: [String] {
        get async throws {
            try await browser.evaluate(
                "return window.announced ?? [...document.querySelectorAll('#news p')].map((line) => line.textContent)")
        }
    }

    /// The content of a stored object, read without the browser.
    func stored(_ path: String) async throws -> Data { try await grant(path).send().body }

    /// A URL for an object, signed without the browser.
    func grant(_ path: String) async throws -> Grant {
        let response = try await HTTP.presign(["path": path], at: origin, key: key)
        return try JSONDecoder().decode(Grant.self, from: response.body)
    }

    /// Stores an object without the browser.
    func store(_ text: String, at path: String) async throws { try await store(Data(text.utf8), at: path) }

    /// Stores an object without the browser.
    func store(_ content: Data, at path: String) async throws {
        let response = try await HTTP.presign(["path": path, "method": "PUT"], at: origin, key: key)
        let result = try await JSONDecoder().decode(Grant.self, from: response.body).send(content)
        try #require(result.status == 200)
    }
}
