import DataFormats
import Presigning
import System
import Text

/// The body of CompleteMultipartUpload: the parts in order.
///
/// Source: Amazon S3 API reference, "CompleteMultipartUpload".
struct PartList: Sendable {
    /// A part as listed by the client.
    struct Part: Sendable, Equatable {
        package var number: Int
        /// The entity tag without quotes.
        var entityTag: [UInt8]
        /// The checksum, if the client repeats it.
        package var checksum: Checksum?
    }

    let parts: [Part]

    /// Parses the document. Throws unless the part numbers are in ascending order.
    init(_ document: [UInt8]) throws(S3Error) {
        var parts: [Part] = []
        try document.forEachXMLChild(of: "CompleteMultipartUpload") { child throws(S3Error) in
            guard parts.count < S3Limits.partNumbers.upperBound else { throw .malformedXML }
            parts.append(try Self.part(child))
        }
        guard !parts.isEmpty else { throw .malformedXML }
        guard zip(parts, parts.dropFirst()).allSatisfy({ $0.number < $1.number }) else {
            throw S3Error(
                400, "InvalidPartOrder",
                "The list of parts was not in ascending order. Parts must be ordered by part number.")
        }
        self.parts = parts
    }

    private static func part(_ element: XMLElement) throws(S3Error) -> Part {
        let known = ["PartNumber", "ETag"] + ChecksumAlgorithm.allCases.map(\.element)
        guard element.name.elementsEqual("Part".utf8),
            element.children.allSatisfy({ child in
                child.children.isEmpty && known.contains { child.name.elementsEqual($0.utf8) }
            }),
            let digits = element.text(of: "PartNumber")?.trimmed, let tag = element.text(of: "ETag")?.trimmed,
            let number = Int(decimal: digits.span, in: S3Limits.partNumbers)
        else { throw .malformedXML }
        var part = Part(number: number, entityTag: Array(EntityTagList.unquoted(tag)))
        for algorithm in ChecksumAlgorithm.allCases {
            guard element.children.contains(where: { $0.name.elementsEqual(algorithm.element.utf8) }) else { continue }
            guard part.checksum == nil, let text = element.text(of: algorithm.element)?.trimmed,
                let bytes = Base64.decode(text.span), bytes.count == algorithm.byteCount
            else { throw .malformedXML }
            part.checksum = Checksum(algorithm: algorithm, bytes: bytes)
        }
        return part
    }
}

extension [UInt8] {
    /// Passes the children of this document's root to `body`, one at a time, so that memory does not grow with their
    /// number. Throws `MalformedXML` if the root has another name.
    func forEachXMLChild(
        of root: String, _ body: (XMLElement) throws(S3Error) -> Void
    ) throws(S3Error) {
        guard var reader = try? XMLReader(self, root: root) else { throw .malformedXML }
        while true {
            let child: XMLElement?
            do throws(XMLReader.Failure) {
                child = try reader.nextChild()
            } catch {
                throw .malformedXML
            }
            guard let child else { return }
            try body(child)
        }
    }
}
