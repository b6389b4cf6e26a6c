import Text

/// The blocks of a PEM file (RFC 7468): their labels and their DER.
struct PEMDocument {
    struct Block {
        let label: String
        let der: [UInt8]
    }

    private(set) var blocks: [Block] = []

    /// Parses a PEM file. Text outside of blocks is skipped (RFC 7468 section 2).
    ///
    /// - Throws: if the labels of a block's BEGIN and END lines differ, or its content is not base64.
    init(_ text: [UInt8]) throws(KeyRefusal) {
        var open: (label: String, base64: [UInt8])?
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = line.trimming(ASCII.isBlank)
            if let label = Self.label(line, after: "-----BEGIN ") {
                guard open == nil else { throw KeyRefusal("a PEM block begins within another") }
                open = (label, [])
            } else if let label = Self.label(line, after: "-----END ") {
                guard let block = open, block.label == label, let der = Base64.decode(block.base64.span) else {
                    throw KeyRefusal("a PEM block is damaged")
                }
                blocks.append(Block(label: label, der: der))
                open = nil
            } else {
                open?.base64 += line
            }
        }
        guard open == nil else { throw KeyRefusal("a PEM block does not end") }
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
    /// Returns the keys in a PEM file of public keys and certificates. Only the key of a certificate is used.
    ///
    /// - Throws: if the file has no key, contains a private key or any other block, or a key is refused.
    package static func keys(pem text: [UInt8]) throws(KeyRefusal) -> [VerificationKey] {
        var keys: [VerificationKey] = []
        for block in try PEMDocument(text).blocks {
            switch block.label {
            case "PUBLIC KEY": keys.append(try VerificationKey(PublicKeyHandle(subjectPublicKeyInfo: block.der)))
            case "CERTIFICATE": keys.append(try VerificationKey(PublicKeyHandle(certificate: block.der)))
            case let label where label.utf8.elementsEqual("PRIVATE KEY".utf8) || label.hasSuffix(" PRIVATE KEY"):
                throw KeyRefusal("it contains a private key; provide only the public key, and generate a new key pair")
            default: throw KeyRefusal("a PEM block is neither PUBLIC KEY nor CERTIFICATE")
            }
        }
        guard !keys.isEmpty else { throw KeyRefusal("it contains no PEM block PUBLIC KEY or CERTIFICATE") }
        return keys
    }
}
