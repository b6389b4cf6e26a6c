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
        .target(name: "Bytes", swiftSettings: strict),
        .target(name: "CryptoHashing", dependencies: ["COpenSSL", "Bytes"], swiftSettings: strict),
        .target(
            name: "SignatureVerification", dependencies: ["COpenSSL", "CryptoHashing"], swiftSettings: strict),
        .target(name: "TransportSecurity", dependencies: ["COpenSSL"], swiftSettings: strict),
        .target(name: "Presigning", dependencies: ["CryptoHashing", "Bytes"], swiftSettings: strict),
        .target(
            name: "HTTPServing", dependencies: ["CPlatform", "Bytes", "SystemInterface", "TransportSecurity"],
            swiftSettings: strict),
        .target(name: "XMLReading", swiftSettings: strict),
        .target(
            name: "HTTPFetching",
            dependencies: ["HTTPServing", "SystemInterface", "TransportSecurity", "CPlatform", "Bytes"],
            swiftSettings: strict),
        .target(name: "SystemInterface", dependencies: ["CPlatform"], swiftSettings: strict),
        .target(name: "ObjectExistence", dependencies: ["CCurl"], swiftSettings: strict),
        .target(
            name: "LocalStorage",
            dependencies: ["Presigning", "HTTPServing", "CryptoHashing", "SystemInterface", "XMLReading"],
            swiftSettings: strict),
        .target(
            name: "PresignService",
            dependencies: [
                "Presigning", "HTTPServing", "HTTPFetching", "CryptoHashing", "SignatureVerification",
                "TransportSecurity", "Bytes", "SystemInterface", "XMLReading", "UploadPage",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(name: "CommandLineParsing", swiftSettings: strict),
        .target(name: "UploadPage", resources: [.embedInCode("Resources")], swiftSettings: strict),
        .executableTarget(
            name: "presign",
            dependencies: [
                "PresignService", "Presigning", "HTTPServing", "LocalStorage", "ObjectExistence", "SystemInterface",
                "CryptoHashing", "TransportSecurity", "Bytes", "CommandLineParsing",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "SigningBenchmark", dependencies: ["Presigning"], path: "Tests/Benchmarks/Signing",
            exclude: ["reference.c", "signer.go", "signer.py"], swiftSettings: strict),
        .executableTarget(
            name: "AuthorizationBenchmark",
            dependencies: ["PresignService", "Presigning", "HTTPServing", "CryptoHashing"],
            path: "Tests/Benchmarks/Authorization", swiftSettings: strict),
        .executableTarget(
            name: "OverloadBenchmark", dependencies: ["CPlatform"], path: "Tests/Benchmarks/Overload",
            swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["COpenSSL", "CryptoHashing", "TransportSecurity"],
            path: "Tests/Support",
            swiftSettings: strict),
        .testTarget(name: "CryptoHashingTests", dependencies: ["CryptoHashing"], swiftSettings: strict),
        .testTarget(
            name: "SignatureVerificationTests",
            dependencies: ["SignatureVerification", "CryptoHashing", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "TransportSecurityTests", dependencies: ["TransportSecurity", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PresigningTests", dependencies: ["Presigning"], resources: [.copy("Vectors")], swiftSettings: strict),
        .testTarget(
            name: "HTTPServingTests",
            dependencies: ["SystemInterface", "HTTPServing", "CPlatform", "TransportSecurity", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPFetchingTests",
            dependencies: ["HTTPFetching", "HTTPServing", "TransportSecurity", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ContractTests", dependencies: ["PresignService", "HTTPServing", "CPlatform"], swiftSettings: strict),
        .testTarget(name: "SystemInterfaceTests", dependencies: ["SystemInterface"], swiftSettings: strict),
        .testTarget(
            name: "ObjectExistenceTests", dependencies: ["ObjectExistence", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PresignServiceTests",
            dependencies: [
                "PresignService", "HTTPServing", "HTTPFetching", "Presigning", "SignatureVerification", "CryptoHashing",
                "Bytes", "TransportSecurity", "TestSupport",
            ],
            resources: [.copy("Cases")], swiftSettings: strict),
        .testTarget(
            name: "CommandLineParsingTests", dependencies: ["CommandLineParsing"], swiftSettings: strict),
        .testTarget(name: "UploadPageTests", dependencies: ["UploadPage"], swiftSettings: strict),
        .testTarget(
            name: "LocalStorageTests",
            dependencies: [
                "LocalStorage", "Presigning", "HTTPServing", "CryptoHashing", "SystemInterface", "XMLReading",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["presign", "PresignService", "HTTPServing", "UploadPage", "TestSupport"],
            swiftSettings: strict),
    ],
)
