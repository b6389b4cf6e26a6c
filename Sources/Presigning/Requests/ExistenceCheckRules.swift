/// The headers and parameters of a download that its existence check repeats.
package enum ExistenceCheckRules {
    /// The lifetime of the URL for the HEAD request in seconds. The request is sent immediately.
    package static let lifetime = 60

    static func keeps(header name: String) -> Bool {
        let name = HeaderRules.lowercased(name)
        return name.utf8.starts(with: "x-amz-server-side-encryption-customer-".utf8)
            || ["x-amz-request-payer", "x-amz-expected-bucket-owner"].contains(name)
    }

    static func keeps(parameter name: String) -> Bool {
        name == "versionId"
    }
}
