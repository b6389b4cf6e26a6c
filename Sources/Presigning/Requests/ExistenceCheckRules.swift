/// What the HEAD before a download takes over from the download.
package enum ExistenceCheckRules {
    /// Seconds the HEAD's URL is valid; it is used at once.
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
