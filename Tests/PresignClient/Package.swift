// swift-tools-version: 6.2
import PackageDescription

/// An app's package: it depends on the product `PresignClient` alone. Also runs the unit tests of the product where the
/// rest of the repository does not build, such as on macOS.
let client: Target.Dependency = .product(name: "PresignClient", package: "presign")

let package = Package(
    name: "PresignClientSample",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .executable(name: "transfer", targets: ["transfer"]),
        .library(name: "Gallery", targets: ["Gallery"]),
    ],
    dependencies: [.package(name: "presign", path: "../..")],
    targets: [
        .executableTarget(name: "transfer", dependencies: [client]),
        .target(name: "Gallery", dependencies: [client]),
        .testTarget(name: "PresignClientTests", dependencies: [client]),
    ]
)
