import DataFormats
import Text

/// The rules of AWS for the names of buckets and regions; other storages have different rules.
package enum AWSNames {
    /// Returns why AWS does not allow this bucket name; nil if it does (Amazon S3 User Guide, "General purpose bucket
    /// naming rules").
    package static func mistake(inBucket name: String) -> String? {
        let bytes = Array(name.utf8)
        if !(3...63 ~= bytes.count) { return "must have 3 to 63 characters on AWS" }
        if !bytes.allSatisfy({ isLowercaseOrDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }) {
            return "may contain only lower-case letters, digits, dots and hyphens on AWS"
        }
        guard let first = bytes.first, let last = bytes.last, isLowercaseOrDigit(first), isLowercaseOrDigit(last) else {
            return "must begin and end with a letter or a digit on AWS"
        }
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.contains(where: \.isEmpty) { return "must not contain two dots in a row on AWS" }
        if labels.count == 4, labels.allSatisfy({ 1...3 ~= $0.count && $0.allSatisfy(ASCII.isDigit) }) {
            return "must not look like an IP address on AWS"
        }
        let reserved = ["xn--", "sthree-"].first { bytes.starts(with: $0.utf8) }
        return reserved.map { "must not begin with `\($0)` on AWS" }
    }

    /// Returns why this is probably not an AWS region, with the nearest known one; nil for a plausible name. A name of
    /// the usual shape is plausible if it differs from known regions in the final number, because AWS adds regions, or
    /// in more than one character.
    package static func mistake(inRegion name: String) -> String? {
        if regions.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { return nil }
        let hasShape = hasShape(name)
        let scalars = Array(name.unicodeScalars)
        let nearest = regions.first { region in
            Suggestion.distance(scalars, Array(region.unicodeScalars)) == 1
                && !(hasShape && region.utf8.last != name.utf8.last)
        }
        if hasShape, nearest == nil { return nil }
        return "is not an AWS region" + (nearest == nil ? "; use one such as eu-west-1" : Suggestion.text(nearest))
    }

    /// Two or more words of letters, the first of two to four, and a number: `eu-west-1`, `us-gov-east-1`,
    /// `eusc-de-east-1`.
    private static func hasShape(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let first = parts.first, let number = parts.last, 3...4 ~= parts.count else { return false }
        return 2...4 ~= first.count && 1...2 ~= number.count && number.allSatisfy(ASCII.isDigit)
            && parts.dropLast().allSatisfy { !$0.isEmpty && $0.allSatisfy(ASCII.isLowercase) }
    }

    private static func isLowercaseOrDigit(_ byte: UInt8) -> Bool { ASCII.isLowercase(byte) || ASCII.isDigit(byte) }

    /// The regions of all partitions (AWS General Reference, "Amazon S3 endpoints and quotas"); for suggestions only.
    private static let regions = [
        "af-south-1", "ap-east-1", "ap-east-2", "ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1",
        "ap-south-2", "ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5",
        "ap-southeast-6", "ap-southeast-7", "ca-central-1", "ca-west-1", "cn-north-1", "cn-northwest-1", "eu-central-1",
        "eu-central-2", "eu-north-1", "eu-south-1", "eu-south-2", "eu-west-1", "eu-west-2", "eu-west-3",
        "eusc-de-east-1", "il-central-1", "me-central-1", "me-south-1", "mx-central-1", "sa-east-1", "us-east-1",
        "us-east-2", "us-gov-east-1", "us-gov-west-1", "us-iso-east-1", "us-iso-west-1", "us-isob-east-1",
        "us-isof-east-1", "us-isof-south-1", "eu-isoe-west-1", "us-west-1", "us-west-2",
    ]
}
