private import CEmbeddedFiles

/// Files of this repository, embedded in the binary.
package enum EmbeddedFiles {
    /// The files of the upload page and of `presign.js`, with their paths in the service.
    package static let page: [(path: String, content: [UInt8])] = (0..<presign_page_file_count()).map { index in
        // C has no safe array; index is in range, and the texts are constants that end with NUL.
        let file = unsafe presign_page_file(index)
        return (unsafe String(cString: file.path), unsafe bytes(of: file.content))
    }

    /// The description of the API, `config/openapi.yaml`.
    package static let apiDescription = unsafe bytes(of: presign_api_description())

    /// - Parameter text: a constant that ends with NUL.
    @unsafe private static func bytes(of text: UnsafePointer<UInt8>) -> [UInt8] {
        unsafe Array(String(cString: text).utf8)
    }
}
