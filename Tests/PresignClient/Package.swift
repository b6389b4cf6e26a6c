// swift-tools-version: 6.2
import PackageDescription

/// An app's package: it depends on the product `PresignClient` alone.
let package = Package(
    name: "PresignClientSample",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    dependencies: [.package(name: "presign", path: "../..")],
    targets: [
        .executableTarget(name: "transfer", dependencies: [.product(name: "PresignClient", package: "presign")])
    ]
)
