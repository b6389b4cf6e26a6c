import ArgumentParser
import PresignService
import PresignTools
import Presigning
import Requests
import ServiceRuntime
import System

/// `presign url`: signs one URL or a batch offline.
struct URLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url",
        abstract: "Sign a URL offline, from the configuration or the environment.",
        usage: """
            presign url [<method>] <path> [<options>]
            presign url --list <prefix> [<options>]
            presign url --batch [<options>]
            """,
        discussion: """
            Bucket, region and endpoint come from a store of the configuration or from the
            options below. Credentials come from the sources that the service uses:
            environment, web identity, AWS shared files, container, instance. The command
            sends no request to the storage.

            With --batch each line of standard input is a JSON object with the fields of
            POST /presign, which the guide and GET /openapi.yaml describe. Each line of
            output is the response of the service, or {"error"}:

              {"path": "cat.jpg", "method": "PUT", "contentType": "image/jpeg"}
              {"path": "cat.jpg", "responseContentDisposition": "attachment"}
              {"prefix": "photos/", "delimiter": "/", "maxKeys": 100}

            --expires-in, --content-type and --upload-id are the defaults for fields that a
            line leaves out; the type applies to lines that upload an object or create a
            multipart upload. Lines cannot have the fields that need the service: store,
            share, form, successStatus, successRedirect and validateObjectExistence.

            EXAMPLES
              presign url cat.jpg --bucket acme-media --region eu-west-1
              presign url get s3://acme-media/cat.jpg --region eu-west-1
              presign url PUT cat.jpg --config presign.yaml --output curl
              presign url PUT big.bin --config p.yaml --upload-id ID --part-number 1
              presign url --list photos/ --delimiter / --config p.yaml
              presign url --batch --config p.yaml --expires-in 1h < lines.jsonl
            """)

    enum Output: String, CaseIterable, ExpressibleByArgument {
        case url, json, curl
    }

    @OptionGroup(title: "Location of the object") var location: ObjectLocationOptions
    @OptionGroup(title: "Listing") var listing: ListingOptions
    @Flag(help: "Read JSON Lines from standard input.") var batch = false
    @Option(help: "The media type of an upload. It is signed, so the upload must declare the same type.")
    var contentType: String?
    @Option(
        help: """
            The lifetime of the URL: seconds, or a number with the unit s, m, h or d (default: 5h, or the default of \
            the configuration).
            """, transform: DurationOption.seconds)
    var expiresIn: Int64?
    @Option(help: "The id of the multipart upload to sign for.") var uploadId: String?
    @Option(help: "The number of the part to upload, 1 to 10000.") var partNumber: Int64?
    @Option(
        help: "With --output curl: the size of every part except the last, in bytes or with k, m, g (default: 8m).",
        transform: PartSizeOption.bytes)
    var partSize: Int64?
    @OptionGroup(title: "Settings of the object") var object: ObjectSettingOptions
    @Option(name: .customLong("checksum-sha256"), help: "The SHA-256 of the content in Base64, for PUT.")
    var checksumSHA256: String?
    @Option(help: "ENABLED: the storage returns the checksum of the object; for GET and HEAD.")
    var checksumMode: String?
    @Option(help: "What to print: the URL, the JSON of the service's response, or a curl command with all headers.")
    var output: Output?
    @Argument(
        help: ArgumentHelp("GET (default), PUT, HEAD, DELETE or POST, in any letter case.", valueName: "method"))
    var first: String?
    @Argument(help: ArgumentHelp("The object's path, or s3://BUCKET/KEY.", valueName: "path")) var second: String?

    private func check() throws(ValidationError) {
        guard batch else {
            _ = try target()
            guard partSize == nil || (output == .curl && partNumber != nil) else {
                throw ValidationError("--part-size requires --output curl and --part-number")
            }
            return
        }
        guard first == nil, object.isEmpty, checksumSHA256 == nil, checksumMode == nil, output == nil,
            listing.isEmpty, partNumber == nil, partSize == nil
        else {
            throw ValidationError(
                "--batch reads its requests from standard input; beside it there can be options of the location,"
                    + " --expires-in, --content-type and --upload-id")
        }
    }

    func run() throws {
        try check()
        var defaults: SigningDefaults
        if batch {
            defaults = try location.defaults()
            defaults.expiresIn = expiresIn
            defaults.contentType = contentType
            defaults.uploadId = uploadId
            var signer = LineSigner(defaults: defaults)
            try JSONLines.run { line in
                signer.response(to: line, at: SigningTime(secondsSince1970: WallClock.seconds()))
            }
        } else {
            let (method, object) = try target()
            defaults = try location.defaults(urlBucket: object.bucket)
            try sign(method, object.path, defaults)
        }
        for warning in Set(location.warnings(defaults) + defaults.warnings).sorted() { printWarning(warning) }
    }

    /// Returns the method and the object of the positional arguments; the method is nil if there is only a path.
    func target() throws(ValidationError) -> (method: PresignRequest.Method?, object: ObjectReference) {
        if let prefix = try listing.target() {
            guard first == nil else { throw ValidationError("--list cannot be combined with a method or a path") }
            return (nil, prefix)
        }
        guard let first else { throw ValidationError("a path is required, or --batch, or --list") }
        let method = PresignRequest.Method(rawValue: first.uppercased())
        guard let second else {
            guard method == nil else {
                throw ValidationError(
                    "\(first) is a method; add the path, or write `GET \(first)` for an object of that name")
            }
            return (nil, try ObjectReference(first))
        }
        guard let method else {
            let names = PresignRequest.Method.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\(first) is not a method; the methods are \(names)")
        }
        return (method, try ObjectReference(second))
    }

    private func sign(
        _ method: PresignRequest.Method?, _ path: String, _ defaults: SigningDefaults
    ) throws(ProgramFailure) {
        var fields = PresignRequest()
        fields.path = Array(path.utf8)
        fields.method = method
        fields.uploadId = uploadId
        fields.partNumber = partNumber
        fields.contentType = contentType
        fields.expiresIn = expiresIn
        fields.settings = try object.settings()
        fields.checksumSHA256 = checksumSHA256
        fields.checksumMode = checksumMode
        fields.checksumAlgorithm = object.checksumAlgorithm
        fields.versionId = object.versionId
        listing.apply(to: &fields)
        if !fields.path.isEmpty, !fields.hasPrefix, let refusal = ObjectKeyCheck.refusal(of: fields.path) {
            printWarning("the service refuses this path: \(refusal)")
        }
        let response: PresignResponse
        do {
            var presigner = Presigner()
            response = try OfflineSigning.url(
                fields, defaults, at: SigningTime(secondsSince1970: WallClock.seconds()), using: &presigner)
        } catch {
            throw ProgramFailure(error.field == "credentials" ? .configuration : .usage, error.description)
        }
        switch output ?? .url {
        case .url: try printLines([response.url.text])
        case .json: try printLines([String(decoding: response.json, as: UTF8.self)])
        case .curl:
            let part = partNumber.map { (number: $0, size: partSize ?? PartSizeOption.standard) }
            let command = CurlCommand(url: response.url, path: path, hasUploadID: uploadId != nil, part: part)
            try printLines([command.text])
        }
    }
}

/// An object on the command line: a path, or `s3://BUCKET/KEY`.
struct ObjectReference: Equatable {
    /// The bucket of an `s3://` URL; nil for a path.
    let bucket: String?
    /// The path or prefix, or the key of the URL.
    let path: String

    init(_ text: String) throws(ValidationError) {
        let scheme = "s3://"
        guard text.hasPrefix(scheme) else {
            (bucket, path) = (nil, text)
            return
        }
        let parts = text.dropFirst(scheme.count).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw ValidationError("\(text) must name a bucket and a key: s3://BUCKET/KEY")
        }
        (bucket, path) = (String(parts[0]), String(parts[1]))
    }

    /// A prefix to list. Unlike the key of an object, it may be empty: `s3://BUCKET/`.
    init(prefix text: String) throws(ValidationError) {
        let name = text.dropFirst("s3://".count).dropLast()
        if text.hasPrefix("s3://"), text.hasSuffix("/"), !name.isEmpty, !name.contains("/") {
            (bucket, path) = (String(name), "")
        } else {
            self = try ObjectReference(text)
        }
    }
}
