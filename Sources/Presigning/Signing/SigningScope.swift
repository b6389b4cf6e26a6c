import Text

/// The credential scope of Signature Version 4: the day, region and service that a signing key is valid for.
struct SigningScope: Sendable, Equatable {
    /// Days since 1970-01-01.
    let dayNumber: Int
    let region: [UInt8]
    let service: [UInt8]

    /// Appends `YYYYMMDD/region/service/aws4_request`.
    ///
    /// - Parameter slash: the separator, `/`, or `%2F` in a query.
    func append(slash: StaticString, to output: inout ByteBuffer) {
        SigningTime(secondsSince1970: Int64(dayNumber) * 86_400).appendDay(to: &output)
        output.append(slash)
        output.append(region)
        output.append(slash)
        output.append(service)
        output.append(slash)
        output.append("aws4_request")
    }
}
