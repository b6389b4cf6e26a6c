import AccessRules
import HTTPClient
import PresignService
import PresignTools
import Presigning
import StorageCredentials
import System

/// `presign url`: signs offline, one URL or a batch.
struct URLCommand: Command {
    static let title = CommandTitle(
        "url",
        abstract: "Sign a URL offline, from the configuration or the environment.",
        discussion: """
            Bucket, region and endpoint come from a store of the configuration, or from the
            options below; credentials from where the service has them: environment, web
            identity, AWS shared files, container, instance. The storage is not asked.

            With --batch each line of standard input is one JSON request and becomes one
            JSON line of output, {"id","url"} or {"id","error"}. Its members, all optional
            but key, are:

              id                       any JSON value; comes back with the URL
              key                      the object (or: path)
              method                   GET (default), PUT, HEAD, DELETE or POST
              operation                the operation by S3's name, such as getObject
              contentType, expiresIn, uploadId, partNumber
              extra                    more to sign, by S3's own parameter names:
                                       {"ContentDisposition": "inline", "VersionId": "3"}
              bucket, region, endpoint (null: AWS), addressing, accelerate, dualstack,
              fips, usEast1Endpoint    where the object is
              credentials              {accessKeyId, secretAccessKey, sessionToken,
                                       expiration}
              date                     the time of signing (default: now)

            The options are the defaults for lines that say nothing else. --content-type
            applies to lines that upload an object or create a multipart upload,
            --upload-id to every line. Unknown and contradicting members are refused.

            EXAMPLES
              presign url cat.jpg --bucket acme-media --region eu-west-1
              presign url PUT cat.jpg --config presign.yaml --output curl
              presign url PUT big.bin --config p.yaml --upload-id ID --part-number 1
              presign url --batch --config p.yaml --expires-in 1h < lines.jsonl
            """)

    private enum Output: String, CaseIterable {
        case url, json, curl
    }

    private let place: PlaceOptions
    private let batch: Bool
    private let contentType: String?
    private let expiresIn: String?
    private let uploadId: String?
    private let partNumber: Int64?
    private let partSize: String?
    private let output: Output?
    private let words: [String]

    init(from arguments: inout Arguments) {
        place = PlaceOptions(from: &arguments)
        batch = arguments.flag("batch", help: "Read JSON Lines from standard input.")
        contentType = arguments.option(
            "content-type", help: "The media type of an upload; it is signed, so the upload must have it.")
        expiresIn = arguments.option(
            "expires-in",
            help: "How long the URL lives: seconds, or with a unit s, m, h or d (default: 5h, or the configuration's).")
        uploadId = arguments.option("upload-id", help: "The multipart upload to sign for.")
        partNumber = arguments.number("part-number", help: "The number of the part to upload, 1 to 10000.")
        partSize = arguments.option(
            "part-size",
            help: "For a part with --output curl: the bytes of each part but the last, or with k, m, g (default: 8m).")
        output = arguments.choice(
            "output", help: "What to print: url (default), json, or curl (the exact command to run, headers included).")
        words = arguments.words(
            "words", help: "The method (GET, PUT, HEAD, DELETE or POST; GET when left out), then the object's path.")
    }

    func validate() throws(UsageError) {
        guard batch else {
            guard words.count == 1 || words.count == 2 else { throw UsageError("give PATH, or METHOD and PATH") }
            if words.count == 1, PresignFields.Method(rawValue: words[0]) != nil {
                throw UsageError(
                    "\(words[0]) is a method; give the path behind it, or write GET \(words[0]) for an object of that name"
                )
            }
            guard partSize == nil || (output == .curl && partNumber != nil) else {
                throw UsageError("--part-size goes with --output curl and --part-number")
            }
            return
        }
        guard words.isEmpty else { throw UsageError("--batch takes its requests from standard input") }
        guard output == nil else {
            throw UsageError(#"--output does not go with --batch, which prints {"id","url"} for each line"#)
        }
        guard partNumber == nil, partSize == nil else {
            throw UsageError("--part-number and --part-size do not go with --batch; give each line its partNumber")
        }
    }

    func run() throws {
        var defaults = try place.defaults(forBatch: batch)
        if batch {
            if let expiresIn { defaults.expiresIn = try Lifetime.seconds(expiresIn) }
            defaults.contentType = contentType
            defaults.uploadId = uploadId
            try Self.runBatch(defaults)
        } else {
            try runOne(defaults)
        }
        let warnings = CredentialRole.allCases.compactMap { defaults.credentials[$0].warning }
        for warning in Set(warnings).sorted() { printWarning(warning) }
    }

    private static func runBatch(_ defaults: SigningDefaults) throws(CommandFailure) {
        var signer = BatchSigner(defaults: defaults)
        try LineBatch.run { line in
            signer.answer(to: line, at: SigningTime(secondsSince1970: WallClock.seconds()))
        }
    }

    private func runOne(_ defaults: SigningDefaults) throws(CommandFailure) {
        let path = words.last ?? ""
        var fields = PresignFields()
        fields.path = Array(path.utf8)
        fields[.uploadId] = uploadId
        fields.partNumber = partNumber
        fields[.contentType] = contentType
        fields.expiresIn = try expiresIn.map(Lifetime.seconds)
        if words.count == 2 {
            guard let method = PresignFields.Method(rawValue: words[0]) else {
                throw CommandFailure(.usage, "the method must be GET, PUT, HEAD, DELETE or POST, in upper case")
            }
            fields.method = method
        }
        if !fields.path.isEmpty, let refusal = ObjectKeyCheck.refusal(of: fields.path) {
            printWarning("the service refuses this path: \(refusal)")
        }
        let part = try partNumber.map { number throws(CommandFailure) in
            CurlCommand.Part(number: number, size: try partSize.map(PartSize.bytes) ?? PartSize.standard)
        }
        let answer: PresignResponse
        do {
            answer = try OfflineSigning.url(
                fields, defaults, at: SigningTime(secondsSince1970: WallClock.seconds()))
        } catch {
            throw CommandFailure(error.field == "credentials" ? .configuration : .usage, error.description)
        }
        switch output ?? .url {
        case .url: try printLines([answer.url.text])
        case .json:
            try printLines([String(decoding: answer.json, as: UTF8.self)])
        case .curl:
            let command = CurlCommand(url: answer.url, path: path, hasUploadID: uploadId != nil, part: part)
            try printLines([command.text])
        }
    }
}

/// The size of the parts of a multipart upload on the command line.
private enum PartSize {
    /// S3 takes parts of 5 MiB to 5 GiB, but for the last (Amazon S3 User Guide, "multipart upload limits").
    static let possible: ClosedRange<Int64> = (5 << 20)...(5 << 30)
    /// Bytes.
    static let standard: Int64 = 8 << 20

    /// `8388608`, `8192k`, `8m`, `1g` in bytes.
    static func bytes(_ text: String) throws(CommandFailure) -> Int64 {
        let units: [Character: Int64] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? Substring(text) : text.dropLast()
        guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let number = Int64(digits),
            number <= possible.upperBound, possible.contains(number * (unit ?? 1))
        else { throw CommandFailure(.usage, "--part-size: \(text) is not a size from 5m to 5g, such as 8388608 or 8m") }
        return number * (unit ?? 1)
    }
}

/// A span of time on the command line.
enum Lifetime {
    /// `900`, `90s`, `15m`, `12h`, `7d` in seconds.
    static func seconds(_ text: String) throws(CommandFailure) -> Int64 {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? Substring(text) : text.dropLast()
        guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let number = Int64(digits),
            number <= Presigner.validExpiry.upperBound
        else { throw CommandFailure(.usage, "--expires-in: \(text) is not a time such as 900, 90s, 15m, 12h or 7d") }
        return number * (unit ?? 1)
    }
}
