// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift module: Swift 6 mode, strict memory safety, warnings as errors.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library shared by test targets, in `Tests/Support`. A test target, so that only builds of tests compile it: in a
/// release build `@testable` is an error.
func support(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/Support/\(name)", swiftSettings: strict)
}

/// Tests without I/O beyond the repository's files, in `Tests/Unit`.
func unitTests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/Unit/\(name)", resources: resources,
        swiftSettings: strict)
}

/// Tests that open local sockets, in `Tests/Sockets`.
func socketTests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/Sockets/\(name)", swiftSettings: strict)
}

let package = Package(
    name: "presign",
    // For apps with PresignClient; the service runs on Linux.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Presigning", targets: ["Presigning"]),
        .library(name: "PresignClient", targets: ["PresignClient"]),
        .executable(name: "presign", targets: ["presign"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.0")),
        .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.2")),
    ],
    targets: [
        .target(name: "CPlatform"),
        .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(name: "CEmbeddedFiles"),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "Text", swiftSettings: strict),
        .target(name: "Cryptography", dependencies: ["COpenSSL", "Text"], swiftSettings: strict),
        .target(name: "System", dependencies: ["CPlatform", "COpenSSL", "Text"], swiftSettings: strict),
        .target(name: "DataFormats", dependencies: ["Text"], swiftSettings: strict),
        .target(name: "HTTP1", dependencies: ["Text", "System"], swiftSettings: strict),
        .target(name: "HTTPServer", dependencies: ["Text", "System", "HTTP1"], swiftSettings: strict),
        .target(name: "HTTPClient", dependencies: ["Text", "System", "HTTP1"], swiftSettings: strict),
        // For apps: depends on Foundation alone.
        .target(name: "PresignClient", swiftSettings: strict),
        .target(name: "Presigning", dependencies: ["Text", "Cryptography"], swiftSettings: strict),
        .target(name: "Refreshing", dependencies: ["Presigning", "System"], swiftSettings: strict),
        .target(
            name: "StorageCredentials",
            dependencies: [
                "Presigning", "Text", "System", "DataFormats", "HTTPClient", "Refreshing",
            ], swiftSettings: strict),
        .target(
            name: "Requests", dependencies: ["Presigning", "Text", "Cryptography", "DataFormats"], swiftSettings: strict
        ),
        .target(
            name: "AccessRules", dependencies: ["Presigning", "Requests", "Text", "DataFormats"], swiftSettings: strict),
        .target(
            name: "CallerAuthentication",
            dependencies: [
                "Presigning", "Text", "Cryptography", "System", "DataFormats", "HTTP1", "HTTPClient", "Requests",
                "Refreshing",
            ], swiftSettings: strict),
        .target(name: "ObjectExistence", dependencies: ["CCurl", "System", "HTTPClient"], swiftSettings: strict),
        .target(
            name: "Telemetry",
            dependencies: [
                "Presigning", "Text", "System", "DataFormats", .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: strict),
        // CEmbeddedFiles embeds its resources.
        .target(
            name: "UploadPage", dependencies: ["CEmbeddedFiles", "Cryptography"], exclude: ["Resources"],
            swiftSettings: strict),
        .target(
            name: "LocalStorage",
            dependencies: ["Presigning", "Text", "Cryptography", "System", "DataFormats", "HTTP1", "HTTPServer"],
            swiftSettings: strict),
        .target(
            name: "PresignService",
            dependencies: [
                "Presigning", "Text", "Cryptography", "System", "DataFormats", "HTTP1", "HTTPServer",
                "StorageCredentials", "Requests", "AccessRules", "CallerAuthentication", "ObjectExistence",
                "Refreshing", "Telemetry", "UploadPage", .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: strict),
        .target(
            name: "PresignTools",
            dependencies: [
                "Presigning", "Text", "DataFormats", "HTTPClient", "StorageCredentials", "Requests", "AccessRules",
                "PresignService",
            ], swiftSettings: strict),
        .target(
            name: "ServiceRuntime",
            dependencies: [
                "Text", "System", "HTTPServer", "HTTPClient", "Requests", "CallerAuthentication", "Telemetry",
                "LocalStorage", "PresignService",
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: strict),
        .executableTarget(
            name: "presign",
            dependencies: [
                "Presigning", "System", "DataFormats", "HTTPServer", "StorageCredentials", "Requests",
                "PresignService", "PresignTools", "ServiceRuntime",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "SigningBenchmark", dependencies: ["Presigning"], path: "Tests/Benchmarks/Signing",
            exclude: ["reference.c", "signer.go", "signer.py"], swiftSettings: strict),
        .executableTarget(
            name: "AuthorizationBenchmark",
            dependencies: [
                "Presigning", "Text", "Cryptography", "HTTP1", "Requests", "AccessRules", "CallerAuthentication",
                "PresignService", "System",
            ],
            path: "Tests/Benchmarks/Authorization", swiftSettings: strict),
        // Signs lines in the wire format of the signing vectors.
        .executableTarget(
            name: "SigningVectors",
            dependencies: ["Presigning", "Text", "Cryptography", "System", "DataFormats"],
            path: "Tests/SigningVectors", swiftSettings: strict),
        .executableTarget(
            name: "OverloadBenchmark", dependencies: ["CPlatform"], path: "Tests/Benchmarks/Overload",
            swiftSettings: strict),
        support("TestSupport", ["COpenSSL", "Text"]),
        .target(
            name: "CTLSTestSupport", path: "Tests/Support/CTLSTestSupport", linkerSettings: [.linkedLibrary("ssl")]),
        support("SocketTestSupport", ["COpenSSL", "CTLSTestSupport", "System"]),
        support("HTTP1TestSupport", ["System", "HTTP1", "TestSupport"]),
        support("HTTPServerTestSupport", ["System", "HTTP1", "HTTPServer", "SocketTestSupport"]),
        support("PresigningTestSupport", ["Presigning"]),
        support(
            "AccessRulesTestSupport", ["Presigning", "DataFormats", "Requests", "AccessRules", "TestSupport"]),
        support(
            "PresignServiceTestSupport",
            [
                "Presigning", "System", "HTTP1", "HTTPServer", "Requests", "AccessRules", "CallerAuthentication",
                "ObjectExistence", "Telemetry", "PresignService", "TestSupport", "SocketTestSupport",
                "HTTPServerTestSupport", "Refreshing", "StorageCredentials",
                "PresigningTestSupport", "AccessRulesTestSupport",
            ]),
        unitTests("TextTests", ["Text", "TestSupport"]),
        unitTests("CryptographyTests", ["Text", "Cryptography", "TestSupport"]),
        unitTests("SystemTests", ["System", "TestSupport"]),
        unitTests("DataFormatsTests", ["Text", "DataFormats", "TestSupport"]),
        unitTests("HTTP1Tests", ["HTTP1", "TestSupport", "HTTP1TestSupport"]),
        unitTests(
            "HTTPServerTests",
            [
                "System", "HTTP1", "HTTPServer", "TestSupport", "HTTP1TestSupport", "HTTPServerTestSupport",
            ]),
        unitTests("HTTPClientTests", ["System", "HTTPClient"]),
        unitTests(
            "PresigningTests",
            ["Presigning", "Text", "Cryptography", "TestSupport", "PresigningTestSupport", "SigningVectors"],
            resources: [.copy("Vectors")]),
        unitTests("PresignClientTests", ["PresignClient"]),
        unitTests("StorageCredentialsTests", ["Presigning", "Refreshing", "HTTPClient", "StorageCredentials"]),
        unitTests(
            "AccessRulesTests",
            [
                "Presigning", "DataFormats", "HTTP1", "Requests", "AccessRules", "TestSupport",
                "AccessRulesTestSupport",
            ]),
        unitTests(
            "CallerAuthenticationTests",
            [
                "Presigning", "Text", "Cryptography", "System", "DataFormats", "HTTP1",
                "HTTPClient", "Requests", "AccessRules", "CallerAuthentication", "TestSupport", "Refreshing",
            ]),
        unitTests("TelemetryTests", ["Presigning", "Text", "System", "HTTP1", "Telemetry", "TestSupport"]),
        unitTests("UploadPageTests", ["UploadPage"]),
        unitTests(
            "LocalStorageTests",
            [
                "Presigning", "Text", "Cryptography", "System", "DataFormats", "HTTP1", "LocalStorage", "TestSupport",
            ]),
        unitTests(
            "PresignServiceTests",
            [
                "Presigning", "Text", "System", "DataFormats", "HTTP1", "HTTPServer",
                "StorageCredentials", "Requests", "AccessRules", "CallerAuthentication", "ObjectExistence",
                "Refreshing",
                "Telemetry", "PresignService", "TestSupport", "SocketTestSupport", "HTTPServerTestSupport",
                "PresigningTestSupport",
                "AccessRulesTestSupport", "PresignServiceTestSupport",
            ]),
        unitTests(
            "PresignToolsTests",
            [
                "Presigning", "Cryptography", "DataFormats", "HTTPClient", "StorageCredentials", "Requests",
                "AccessRules",
                "CallerAuthentication", "PresignService", "PresignTools", "TestSupport", "SocketTestSupport",
                "HTTPServerTestSupport", "PresigningTestSupport", "AccessRulesTestSupport", "PresignServiceTestSupport",
            ]),
        unitTests(
            "PresignCommandTests",
            [
                "presign", "Presigning", "Requests", "PresignService", "ServiceRuntime", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        unitTests(
            "CompatibilityTests",
            [
                "presign", "Presigning", "Text", "Cryptography", "DataFormats", "Requests", "CallerAuthentication",
                "ObjectExistence", "Telemetry", "PresignService", "TestSupport", "SocketTestSupport",
                "HTTPServerTestSupport", "PresignServiceTestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        unitTests("ServiceRuntimeTests", ["System", "ServiceRuntime", "TestSupport"]),
        unitTests("DocumentationTests", ["TestSupport"]),
        unitTests(
            "FuzzCorpusTests",
            [
                "Presigning", "Text", "DataFormats", "Requests", "AccessRules",
                "CallerAuthentication", "PresignService", "TestSupport", "AccessRulesTestSupport", "System",
            ]),
        .testTarget(
            name: "ServiceSimulationTests",
            dependencies: [
                "Presigning", "Cryptography", "System", "HTTP1", "HTTPServer", "HTTPClient",
                "StorageCredentials", "Requests", "AccessRules", "CallerAuthentication", "ObjectExistence", "Telemetry",
                "Refreshing",
                "PresignService", "TestSupport", "SocketTestSupport", "HTTPServerTestSupport", "PresigningTestSupport",
                "AccessRulesTestSupport", "PresignServiceTestSupport",
            ],
            path: "Tests/Simulation/service", swiftSettings: strict),
        socketTests("SystemSocketTests", ["System"]),
        socketTests("TLSTests", ["System", "SocketTestSupport"]),
        socketTests(
            "HTTPServerSocketTests",
            [
                "CPlatform", "System", "HTTP1", "HTTPServer", "TestSupport", "SocketTestSupport",
                "HTTP1TestSupport", "HTTPServerTestSupport",
            ]),
        socketTests(
            "HTTPClientSocketTests", ["System", "HTTP1", "HTTPServer", "HTTPClient", "SocketTestSupport"]),
        socketTests(
            "StorageCredentialsSocketTests",
            [
                "Presigning", "Text", "Cryptography", "System", "HTTPClient", "StorageCredentials",
                "SocketTestSupport",
            ]),
        socketTests(
            "CallerAuthenticationSocketTests",
            ["Cryptography", "System", "HTTPClient", "CallerAuthentication", "TestSupport", "SocketTestSupport"]),
        socketTests(
            "ObjectExistenceTests", ["System", "HTTPClient", "ObjectExistence", "SocketTestSupport"]),
        socketTests(
            "LocalStorageSocketTests",
            [
                "Presigning", "Text", "Cryptography", "HTTP1", "HTTPServer", "LocalStorage", "TestSupport",
                "SocketTestSupport",
            ]),
        socketTests(
            "PresignServiceSocketTests",
            [
                "Presigning", "HTTP1", "HTTPServer", "ObjectExistence", "Telemetry", "Requests",
                "PresignService",
                "TestSupport", "SocketTestSupport", "PresigningTestSupport", "PresignServiceTestSupport",
            ]),
        socketTests(
            "ContractTests",
            [
                "Text", "DataFormats", "HTTPServer", "CallerAuthentication", "ObjectExistence",
                "Telemetry", "Requests", "PresignService", "TestSupport", "PresignServiceTestSupport",
            ]),
        socketTests(
            "ServiceRuntimeSocketTests", ["System", "HTTPServer", "PresignService", "ServiceRuntime", "TestSupport"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "presign", "PresignClient", "Presigning", "DataFormats", "HTTP1", "HTTPServer",
                "Requests",
                "AccessRules",
                "UploadPage", "PresignTools", "SigningVectors", "TestSupport", "SocketTestSupport",
                "AccessRulesTestSupport",
            ],
            swiftSettings: strict),
    ],
    // For `#embed`.
    cLanguageStandard: .gnu2x
)

// The container image is built without Tests/, so that a change of a test does not rebuild it.
if Context.environment["PRESIGN_WITHOUT_TESTS"] != nil {
    package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
}
