/// The OpenAPI description of the service, `config/openapi.yaml`, embedded in the binary.
package enum APIDescription {
    /// The value of `Content-Type` (RFC 9512).
    package static let contentType = "application/yaml"

    /// The content of the file, UTF-8.
    package static var bytes: [UInt8] { PackageResources.openapi_yaml }
}
