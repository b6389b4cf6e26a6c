/// The two forms of an ECDSA signature.
enum ECDSASignature {
    /// JSON's form, two numbers of full length one after the other (RFC 7518 section 3.4), as DER (RFC 3279 section
    /// 2.2.3), which OpenSSL reads; nil for any other length. Whether the numbers are in range is the verification's.
    static func der(_ raw: Span<UInt8>, coordinateByteCount count: Int) -> [UInt8]? {
        guard raw.count == 2 * count else { return nil }
        let bytes = raw.indices.map { raw[$0] }
        return DER.element(DER.sequence, DER.unsigned(bytes[..<count]) + DER.unsigned(bytes[count...]))
    }
}
