import Text

/// The parts of a PEM text (RFC 7468): what it says they are, and their DER.
struct PEMDocument {
    struct Part {
        package let label: String
        let der: [UInt8]
    }

    private(set) var parts: [Part] = []

    /// Text outside of parts is skipped, as RFC 7468 section 2 allows.
    ///
    /// - Throws: for a part that does not end as it began, or is no base 64.
    init(_ text: [UInt8]) throws(KeyRefusal) {
        var open: (label: String, base64: [UInt8])?
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = line.trimming(ASCII.isBlank)
            if let label = Self.label(line, after: "-----BEGIN ") {
                guard open == nil else { throw KeyRefusal("a PEM part begins within another") }
                open = (label, [])
            } else if let label = Self.label(line, after: "-----END ") {
                guard let part = open, part.label == label, let der = Base64.decode(part.base64.span) else {
                    throw KeyRefusal("a PEM part is damaged")
                }
                parts.append(Part(label: label, der: der))
                open = nil
            } else {
                open?.base64 += line
            }
        }
        guard open == nil else { throw KeyRefusal("a PEM part does not end") }
    }

    private static func label(_ line: ArraySlice<UInt8>, after start: String) -> String? {
        let (start, end) = (Array(start.utf8), Array("-----".utf8))
        guard line.count > start.count + end.count, line.starts(with: start), line.suffix(end.count) == end[...] else {
            return nil
        }
        return String(decoding: line.dropFirst(start.count).dropLast(end.count), as: UTF8.self)
    }
}

extension VerificationKey {
    /// The keys of a PEM text: public keys, and certificates, of which only the key is taken.
    ///
    /// - Throws: when there is none, for a private key, for any other part, and for the first key that is refused.
    package static func keys(pem text: [UInt8]) throws(KeyRefusal) -> [VerificationKey] {
        var keys: [VerificationKey] = []
        for part in try PEMDocument(text).parts {
            switch part.label {
            case "PUBLIC KEY": keys.append(try VerificationKey(PublicKeyHandle(subjectPublicKeyInfo: part.der)))
            case "CERTIFICATE": keys.append(try VerificationKey(PublicKeyHandle(certificate: part.der)))
            case let label where label.utf8.elementsEqual("PRIVATE KEY".utf8) || label.hasSuffix(" PRIVATE KEY"):
                throw KeyRefusal("it holds a private key; give the public key alone, and make the private one anew")
            default: throw KeyRefusal("a PEM part is neither PUBLIC KEY nor CERTIFICATE")
            }
        }
        guard !keys.isEmpty else { throw KeyRefusal("it holds no PEM part PUBLIC KEY or CERTIFICATE") }
        return keys
    }
}
