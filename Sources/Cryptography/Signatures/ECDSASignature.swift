/// Conversion of ECDSA signatures.
enum ECDSASignature {
    /// Converts a signature from JSON Web Signature's form, two numbers of full length (RFC 7518 section 3.4), to DER
    /// (RFC 3279 section 2.2.3), which OpenSSL reads. Does not check the range of the numbers.
    ///
    /// - Returns: nil if the length is wrong for the curve.
    static func der(_ raw: Span<UInt8>, coordinateByteCount count: Int) -> [UInt8]? {
        guard raw.count == 2 * count else { return nil }
        let bytes = raw.indices.map { raw[$0] }
        return DER.element(DER.sequence, DER.unsigned(bytes[..<count]) + DER.unsigned(bytes[count...]))
    }
}
