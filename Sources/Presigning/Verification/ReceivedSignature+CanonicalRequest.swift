import Text

extension ReceivedSignature {
    /// Returns the canonical request of a received request.
    ///
    /// Fails if a signed header is missing or a header that must be signed is not.
    func canonicalRequest(
        of request: PresignedURLVerifier.Request
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
        bytes.append(contentsOf: payload)
        return .success(bytes)
    }

    /// Returns the first header that must be signed but is not.
    ///
    /// S3 rejects unsigned `x-amz-*` headers, because they change what the request does.
    private func unsignedHeader(among names: [[UInt8]]) -> String? {
        names.first { name in
            (name.starts(with: "x-amz-".utf8) || name == Array("content-md5".utf8)) && !signedHeaders.contains(name)
        }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the value without surrounding white space, and with every run of white space replaced by one space.
    private static func folded(_ value: String) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
        return Array(value.utf8.split(whereSeparator: isBlank).joined(separator: [0x20]))
    }
}
