import HTTP1

/// The content of an object or a part as it arrives. Small pieces are joined before they are hashed and written, so
/// what content costs does not depend on how it is split.
struct IncomingContent: Sendable {
    let file: IncomingFile
    private var digests: ContentDigests
    /// The end of the content, which is not hashed and written yet. It has fewer bytes than a connection may always
    /// hold.
    private var pending: [UInt8] = []

    init(_ expectation: ContentExpectation, in file: IncomingFile) {
        (self.file, digests) = (file, ContentDigests(expectation))
    }

    var byteCount: Int { digests.byteCount + pending.count }

    mutating func append(_ piece: ArraySlice<UInt8>) throws(S3Error) {
        if piece.count < HTTPLimits.reservedBytes {
            pending += piece
            if pending.count >= HTTPLimits.reservedBytes { try flush() }
        } else {
            try flush()
            digests.update(piece.span)
            try file.write(piece.span)
        }
    }

    private mutating func flush() throws(S3Error) {
        guard !pending.isEmpty else { return }
        let joined = pending
        pending = []
        digests.update(joined.span)
        try file.write(joined.span)
    }

    /// Writes the rest and returns the digests. Throws if the length or a digest differs from the expected one.
    ///
    /// - Parameter trailer: the checksum in the trailer, in base64, if it was announced there.
    mutating func verified(trailer: [UInt8]? = nil) throws(S3Error) -> VerifiedContent {
        try flush()
        return try digests.verified(trailer: trailer)
    }
}
