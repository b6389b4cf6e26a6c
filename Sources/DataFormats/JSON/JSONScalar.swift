/// A JSON value other than an object or an array. Its bytes are a slice of the text unless an escape had to be decoded.
package enum JSONScalar: Equatable, Sendable {
    /// The decoded string, valid UTF-8.
    case string(ArraySlice<UInt8>)
    /// The text of a number, so that it is never rounded.
    case number(ArraySlice<UInt8>)
    case boolean(Bool)
    case null
}
