import Foundation
import Testing

/// How a browser displays a page.
struct Look: Sendable, CustomTestStringConvertible {
    var width = 1100
    var height = 900
    var isDark = false
    /// By default nothing is animated, so that colors are final at once.
    var reducesMotion = true
    /// Whether the pointer is a finger.
    var isTouch = false

    static let light = Look()
    static let dark = Look(isDark: true)
    /// The width at which content must not need horizontal scrolling (WCAG 2.2, 1.4.10).
    static let narrow = Look(width: 320, height: 640)
    /// Phones, the narrowest first.
    static let phones = [320, 390].map { Look(width: $0, height: 844, isTouch: true) }

    var testDescription: String { "\(isDark ? "dark" : "light")-\(width)" }
}

extension Browser {
    /// Resizes the page and sets the user's preferences.
    func show(_ look: Look) async throws {
        if kind == .firefox {
            let _: Nothing = try await command(
                "POST", "/look",
                [
                    "width": look.width, "height": look.height, "dark": look.isDark,
                    "reducedMotion": look.reducesMotion, "touch": look.isTouch,
                ])
        } else {
            try await devTools(
                "Emulation.setDeviceMetricsOverride",
                ["width": look.width, "height": look.height, "deviceScaleFactor": 1, "mobile": look.isTouch])
            try await devTools("Emulation.setTouchEmulationEnabled", ["enabled": look.isTouch])
            let features = [
                ["name": "prefers-color-scheme", "value": look.isDark ? "dark" : "light"],
                ["name": "prefers-reduced-motion", "value": look.reducesMotion ? "reduce" : "no-preference"],
            ]
            try await devTools("Emulation.setEmulatedMedia", ["features": features])
        }
        try await wait(
            until: "innerWidth === \(look.width) && matchMedia('(pointer: coarse)').matches === \(look.isTouch)")
    }

    /// Saves a screenshot in the folder PRESIGN_SCREENSHOTS, if that is set.
    func save(_ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["PRESIGN_SCREENSHOTS"], kind == .chromium else { return }
        let picture: String = try await command("GET", "/screenshot")
        let bytes = try #require(Data(base64Encoded: picture))
        try bytes.write(to: URL(filePath: folder).appending(path: "\(name).png"))
    }
}
