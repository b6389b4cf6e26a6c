/// The region and the endpoints that variables and the shared files set, as the AWS SDKs read them.
///
/// Source: AWS SDKs and Tools Reference Guide, "AWS Region", "Service-specific endpoints".
package struct AWSSettings {
    /// The variables and the settings of a profile that change requests of the AWS SDKs and not of presign, each with
    /// the value that changes nothing.
    private static let unreadVariables = [
        "AWS_USE_FIPS_ENDPOINT": "false", "AWS_USE_DUALSTACK_ENDPOINT": "false",
        "AWS_S3_US_EAST_1_REGIONAL_ENDPOINT": "regional", "AWS_STS_REGIONAL_ENDPOINTS": "regional",
        "AWS_IMDS_USE_IPV6": "false",
    ]
    private static let unreadSettings = [
        "use_fips_endpoint": "false", "use_dualstack_endpoint": "false", "sts_regional_endpoints": "regional",
        "s3.addressing_style": "auto", "s3.use_accelerate_endpoint": "false", "s3.use_dualstack_endpoint": "false",
        "s3.us_east_1_regional_endpoint": "regional", "ec2_metadata_service_endpoint": "",
        "ec2_metadata_service_endpoint_mode": "ipv4", "ca_bundle": "",
    ]
    /// The variables that name files with keys in the AWS SDKs and not in presign.
    private static let unreadKeyFiles = ["AWS_CREDENTIAL_FILE", "BOTO_CONFIG"]

    private let variables: CredentialVariables
    private let profile: SharedFilesCredentialSource

    package init(_ variables: CredentialVariables) {
        self.variables = variables
        profile = SharedFilesCredentialSource(variables, profile: nil)
    }

    /// The region of `AWS_REGION` or `AWS_DEFAULT_REGION`, or else of the profile.
    package var region: String? { variables["AWS_REGION"] ?? variables["AWS_DEFAULT_REGION"] ?? setting("region") }

    /// Returns the endpoint of a service and what sets it; nil for the endpoint of AWS.
    ///
    /// - Parameter service: the name of the service in lower case, such as `s3`.
    package func endpoint(of service: String) -> (source: String, url: String)? {
        let ignored = variables["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] ?? setting("ignore_configured_endpoint_urls")
        guard ignored?.lowercased() != "true" else { return nil }
        for name in ["AWS_ENDPOINT_URL_\(service.uppercased())", "AWS_ENDPOINT_URL"] {
            if let url = variables[name] { return (name, url) }
        }
        let url = setting("\(service).endpoint_url", isOfService: true) ?? setting("endpoint_url")
        return url.map { ("endpoint_url of the profile", $0) }
    }

    /// Warnings that name what the AWS SDKs would use.
    package var warnings: [String] {
        let names =
            Self.unreadVariables.filter { name, neutral in isSet(variables[name], besides: neutral) }.keys.sorted()
            + Self.unreadSettings.filter { name, neutral in isSet(setting(name), besides: neutral) }.keys.sorted()
            .map { "\($0) of the profile" }
        return names.map { "\($0) is set, but presign does not use it; use the options of the command, or --config" }
            + keyWarnings
    }

    /// The warnings about keys, which apply also where a configuration defines the endpoints.
    package var keyWarnings: [String] {
        Self.unreadKeyFiles.filter { variables[$0] != nil }.map {
            "\($0) is set, but presign does not use it; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
        }
    }

    private func isSet(_ value: String?, besides neutral: String) -> Bool {
        value.map { $0.lowercased() != neutral } ?? false
    }

    /// Returns a setting of the profile; nil also if the files cannot be read, since variables and options may suffice.
    private func setting(_ name: String, isOfService: Bool = false) -> String? {
        (try? profile.setting(name, isOfService: isOfService)) ?? nil
    }
}
