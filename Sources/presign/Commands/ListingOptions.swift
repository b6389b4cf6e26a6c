import ArgumentParser
import PresignService
import Requests

/// The options of `presign url --list`.
struct ListingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "List the objects below a prefix instead of naming one: photos/, s3://BUCKET/photos/, or \"\" for all.",
            valueName: "prefix"))
    var list: String?
    @Option(help: "/ to list one folder level: names below it are grouped.") var delimiter: String?
    @Option(help: "The maximum number of names in a response, 1 to 1000.") var maxKeys: Int64?
    @Option(help: "The path after which the listing starts.") var startAfter: String?
    @Option(help: "NextContinuationToken of the response before.") var continuationToken: String?

    /// Whether no option is set.
    var isEmpty: Bool { list == nil && !hasDetails }
    private var hasDetails: Bool {
        delimiter != nil || maxKeys != nil || startAfter != nil || continuationToken != nil
    }

    /// Returns the prefix to list; nil without `--list`.
    func target() throws(ValidationError) -> ObjectReference? {
        guard let list else {
            guard !hasDetails else {
                throw ValidationError(
                    "--delimiter, --max-keys, --start-after and --continuation-token require --list")
            }
            return nil
        }
        return try ObjectReference(prefix: list)
    }

    /// Sets the fields of a listing; does nothing without `--list`.
    func apply(to fields: inout PresignRequest) {
        guard list != nil else { return }
        fields.hasPrefix = true
        fields.maxKeys = maxKeys
        fields.delimiter = delimiter
        fields.startAfter = startAfter
        fields.continuationToken = continuationToken
    }
}
