import Text

/// A form field or query parameter. Name and value are decoded and valid UTF-8.
package struct Field: Equatable, Sendable {
    package let name: [UInt8]
    package let value: [UInt8]
}
