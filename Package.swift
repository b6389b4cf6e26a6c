// swift-tools-version: 6.2
import PackageDescription

/// Every module of ours: Swift 6, strict memory safety, warnings are errors.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "presign",
    products: [
        .library(name: "Presigning", targets: ["Presigning"]),
        .executable(name: "presign", targets: ["presign"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.2"))
    ],
    targets: [
        .target(name: "CPlatform"),
        .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "Text", swiftSettings: strict),
        .target(name: "Cryptography", dependencies: ["COpenSSL", "Text"], swiftSettings: strict),
        .target(name: "System", dependencies: ["CPlatform", "Text"], swiftSettings: strict),
        .target(name: "DataFormats", dependencies: ["Text"], swiftSettings: strict),
        .target(name: "ConfigurationReading", dependencies: ["Text"], swiftSettings: strict),
        .target(name: "TLS", dependencies: ["COpenSSL", "Text"], swiftSettings: strict),
        .target(name: "HTTP1", dependencies: ["Text", "System", "TLS"], swiftSettings: strict),
        .target(
            name: "HTTPServer", dependencies: ["CPlatform", "Text", "System", "TLS", "HTTP1"], swiftSettings: strict),
        .target(
            name: "HTTPClient", dependencies: ["CPlatform", "Text", "System", "TLS", "HTTP1"], swiftSettings: strict),
        .target(name: "Presigning", dependencies: ["Text", "Cryptography"], swiftSettings: strict),
        .target(
            name: "StorageCredentials",
            dependencies: [
                "Presigning", "Text", "Cryptography", "System", "DataFormats", "ConfigurationReading", "HTTPClient",
            ], swiftSettings: strict),
        .target(
            name: "AccessRules", dependencies: ["Presigning", "Text", "DataFormats", "ConfigurationReading", "HTTP1"],
            swiftSettings: strict),
        .target(
            name: "CallerAuthentication",
            dependencies: [
                "Presigning", "Text", "Cryptography", "System", "DataFormats", "ConfigurationReading", "TLS", "HTTP1",
                "AccessRules",
            ], swiftSettings: strict),
        .target(name: "ObjectExistence", dependencies: ["CCurl", "System", "HTTPClient"], swiftSettings: strict),
        .target(name: "RateLimiting", dependencies: ["System"], swiftSettings: strict),
        .target(
            name: "Telemetry",
            dependencies: [
                "Presigning", "Text", "System", "DataFormats", "ConfigurationReading", "HTTP1",
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: strict),
        .target(name: "UploadPage", resources: [.embedInCode("Resources")], swiftSettings: strict),
        .target(
            name: "LocalStorage",
            dependencies: ["Presigning", "Text", "Cryptography", "System", "DataFormats", "HTTP1", "HTTPServer"],
            swiftSettings: strict),
        .target(
            name: "PresignService",
            dependencies: [
                "Presigning", "Text", "Cryptography", "System", "DataFormats", "ConfigurationReading", "TLS", "HTTP1",
                "HTTPServer", "HTTPClient", "StorageCredentials", "AccessRules", "CallerAuthentication", "RateLimiting",
                "Telemetry", "UploadPage",
            ], swiftSettings: strict),
        .target(
            name: "PresignTools",
            dependencies: [
                "Presigning", "Text", "DataFormats", "ConfigurationReading", "StorageCredentials", "AccessRules",
                "CallerAuthentication", "PresignService",
            ], swiftSettings: strict),
        .executableTarget(
            name: "presign",
            dependencies: [
                "Presigning", "Text", "Cryptography", "System", "DataFormats", "ConfigurationReading", "TLS", "HTTP1",
                "HTTPServer", "HTTPClient", "StorageCredentials", "AccessRules", "CallerAuthentication",
                "ObjectExistence", "Telemetry", "LocalStorage", "PresignService", "PresignTools",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "SigningBenchmark", dependencies: ["Presigning"], path: "Tests/Benchmarks/Signing",
            exclude: ["reference.c", "signer.go", "signer.py"], swiftSettings: strict),
        .executableTarget(
            name: "AuthorizationBenchmark",
            dependencies: [
                "Presigning", "Text", "Cryptography", "HTTP1", "AccessRules", "CallerAuthentication", "PresignService",
            ],
            path: "Tests/Benchmarks/Authorization", swiftSettings: strict),
        .executableTarget(
            name: "OverloadBenchmark", dependencies: ["CPlatform"], path: "Tests/Benchmarks/Overload",
            swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["COpenSSL", "Text", "TLS"],
            path: "Tests/Support",
            swiftSettings: strict),
        .testTarget(
            name: "TextTests", dependencies: ["Text"], path: "Tests/Unit/TextTests", swiftSettings: strict),
        .testTarget(name: "CryptoHashingTests", dependencies: ["Text", "Cryptography"], swiftSettings: strict),
        .testTarget(
            name: "SignatureVerificationTests", dependencies: ["Text", "Cryptography", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TransportSecurityTests", dependencies: ["TLS", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PresigningTests", dependencies: ["Presigning", "Cryptography"], resources: [.copy("Vectors")],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPServingTests",
            dependencies: ["CPlatform", "System", "TLS", "HTTP1", "HTTPServer", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPFetchingTests", dependencies: ["System", "TLS", "HTTPServer", "HTTPClient", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ContractTests",
            dependencies: [
                "CPlatform", "DataFormats", "ConfigurationReading", "HTTPServer", "CallerAuthentication",
                "PresignService",
            ],
            swiftSettings: strict),
        .testTarget(name: "SystemInterfaceTests", dependencies: ["System", "HTTPClient"], swiftSettings: strict),
        .testTarget(
            name: "ObjectExistenceTests",
            dependencies: ["ObjectExistence", "System", "HTTPClient", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PresignServiceTests",
            dependencies: [
                "Presigning", "Text", "Cryptography", "System", "DataFormats", "ConfigurationReading", "TLS", "HTTP1",
                "HTTPServer", "HTTPClient", "StorageCredentials", "AccessRules", "CallerAuthentication", "RateLimiting",
                "Telemetry", "PresignService", "PresignTools", "TestSupport",
            ],
            resources: [.copy("Cases")], swiftSettings: strict),
        .testTarget(
            name: "CommandLineParsingTests", dependencies: ["presign"], swiftSettings: strict),
        .testTarget(name: "UploadPageTests", dependencies: ["UploadPage"], swiftSettings: strict),
        .testTarget(
            name: "LocalStorageTests",
            dependencies: [
                "Presigning", "Text", "Cryptography", "System", "DataFormats", "HTTP1", "HTTPServer", "LocalStorage",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["presign", "ConfigurationReading", "HTTP1", "HTTPServer", "UploadPage", "TestSupport"],
            swiftSettings: strict),
    ],
)
