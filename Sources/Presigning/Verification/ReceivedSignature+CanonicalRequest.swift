import Text

extension ReceivedSignature {
    /// The canonical request of what arrived; fails for a signed header that is missing and for one that had to be signed.
    func canonicalRequest(
        of request: PresignedURLVerifier.Request, payload: String = CanonicalRequest.unsignedPayload.description
    ) -> Result<[UInt8], PresignedURLVerification.Mismatch> {
        let received = request.headers.map { (name: ASCII.lowercased($0.name.utf8), value: $0.value) }
        if let name = unsignedHeader(among: received.map(\.name)) { return .failure(.unsignedHeader(name)) }
        var bytes = Array(request.method.utf8)
        bytes.append(0x0a)
        bytes.append(contentsOf: target.canonicalPath)
        bytes.append(0x0a)
        target.appendCanonicalQuery(to: &bytes)
        bytes.append(0x0a)
        for name in signedHeaders {
            let values = name == Array("host".utf8) ? [request.host] : received.filter { $0.name == name }.map(\.value)
            guard !values.isEmpty else { return .failure(.missingHeader(String(decoding: name, as: UTF8.self))) }
            bytes.append(contentsOf: name)
            bytes.append(0x3a)
            bytes.append(contentsOf: values.map { Self.folded($0) }.joined(separator: [0x2c]))
            bytes.append(0x0a)
        }
        bytes.append(0x0a)
        bytes.append(contentsOf: signedHeaders.joined(separator: [0x3b]))
        bytes.append(0x0a)
        bytes.append(contentsOf: payload.utf8)
        return .success(bytes)
    }

    /// S3 refuses `x-amz-*` headers that were not signed, since they change what the request does.
    private func unsignedHeader(among names: [[UInt8]]) -> String? {
        names.first { name in
            (name.starts(with: "x-amz-".utf8) || name == Array("content-md5".utf8)) && !signedHeaders.contains(name)
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Trims a value and makes one blank of every run of white space.
    private static func folded(_ value: String) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
        return Array(value.utf8.split(whereSeparator: isBlank).joined(separator: [0x20]))
    }
}
