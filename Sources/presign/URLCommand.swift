import CommandLineParsing
import PresignService
import Presigning
import SystemInterface

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
            JSON line of output, {"id","url"} or {"id","error"}. A line may carry everything
            itself: id, date, credentials {accessKeyId, secretAccessKey, sessionToken},
            region, bucket, endpoint, addressing, accelerate, dualstack, fips,
            usEast1Endpoint, operation or method, key, contentType, expiresIn, uploadId,
            partNumber, extra, wire.

            EXAMPLES
              presign url cat.jpg --bucket acme-media --region eu-west-1
              presign url PUT cat.jpg --config presign.yaml --output curl
              presign url PUT big.bin --config p.yaml --upload-id ID --part-number 1
              presign url --batch < requests.jsonl > urls.jsonl
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
    private let output: Output
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
        output =
            arguments.choice(
                "output",
                help: "What to print: url (default), json, or curl (the exact command to run, headers included).")
            ?? .url
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
            return
        }
        guard words.isEmpty else { throw UsageError("--batch takes its requests from standard input") }
    }

    func run() throws {
        let defaults = try place.defaults()
        if batch { try Self.runBatch(defaults) } else { try runOne(defaults) }
        if let warning = defaults.credentials.warning { printWarning(warning) }
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
        let answer: PresignAnswer
        do {
            answer = try OfflineSigning.url(
                fields, defaults, at: SigningTime(secondsSince1970: WallClock.seconds()))
        } catch {
            throw CommandFailure(error.field == "credentials" ? .configuration : .usage, error.description)
        }
        switch output {
        case .url: try printLines([answer.url.text])
        case .json:
            let object = answer.json(of: Array(path.utf8), in: defaults.endpoint)
            try printLines([String(decoding: object, as: UTF8.self)])
        case .curl: try printLines([CurlCommand.text(for: answer.url, path: path)])
        }
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
        else { throw CommandFailure(.usage, "--expires-in: \(text) is no time such as 900, 90s, 15m, 12h or 7d") }
        return number * (unit ?? 1)
    }
}
