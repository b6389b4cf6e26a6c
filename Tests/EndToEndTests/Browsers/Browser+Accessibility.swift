import Foundation
import TestSupport
import Testing

/// axe-core, which checks a page against the rules of WCAG 2.2 and its authors' best practices.
enum AxeCore {
    /// The script's file, installed by `Tests/run.sh`.
    static let path = ProcessInfo.processInfo.environment["PRESIGN_E2E_AXE"]
}

extension Browser {
    /// The violations found by axe-core: each with its rule and the elements.
    ///
    /// - Parameter rules: The rules to check; all if nil.
    private func accessibilityViolations(_ rules: [String]? = nil) async throws -> [String] {
        let isLoaded: Bool = try await evaluate("return window.axe !== undefined")
        if !isLoaded { try await run(String(contentsOfFile: try #require(AxeCore.path), encoding: .utf8)) }
        let only = rules.map { "runOnly: ['\($0.joined(separator: "', '"))']" }
        // The target size, a rule of WCAG 2.2, is off by default.
        let options = only ?? "rules: { 'target-size': { enabled: true } }"
        return try await evaluate(
            """
            return axe.run(document, { resultTypes: ['violations'], \(options) }).then(({ violations, passes }) => {
              if (passes.length === 0) throw new Error('axe-core did not check the page');
              return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
            })
            """)
    }

    /// Expects that axe-core finds nothing in light and in dark colors, and no horizontal scrolling at 320 px.
    func expectAccessible(_ state: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for (look, rules) in [(Look.light, nil), (.dark, ["color-contrast"])] {
            try await show(look)
            try await save("\(state)-\(look.testDescription)")
            let found = try await accessibilityViolations(rules)
            #expect(found == [], "\(state), \(look.testDescription)", sourceLocation: sourceLocation)
        }
        try await show(.narrow)
        let width: Int = try await evaluate("return document.documentElement.scrollWidth")
        #expect(width <= Look.narrow.width, "\(state): horizontal scrolling", sourceLocation: sourceLocation)
        try await save("\(state)-\(Look.narrow.testDescription)")
        try await show(.light)
    }
}
