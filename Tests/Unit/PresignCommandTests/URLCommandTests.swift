import ArgumentParser
import PresignService
import Requests
import ServiceRuntime
import Testing

@testable import Presigning
@testable import presign

@Suite("The arguments of presign url")
struct URLCommandTests {
    @Test(
        "The method is accepted in any letter case, the object as a path or an s3:// URL",
        arguments: [
            ("cat.jpg", nil, nil, "cat.jpg"), ("get cat.jpg", .get, nil, "cat.jpg"), ("Put a/b", .put, nil, "a/b"),
            ("GET GET", .get, nil, "GET"), ("s3://media/a/b.png", nil, "media", "a/b.png"),
            ("delete s3://media//a", .delete, "media", "/a"), ("S3://media/a", nil, nil, "S3://media/a"),
        ] as [(String, PresignRequest.Method?, String?, String)])
    func target(_ words: String, _ method: PresignRequest.Method?, _ bucket: String?, _ path: String) throws {
        let target = try URLCommand.parse(words.split(separator: " ").map(String.init)).target()
        #expect(target.method == method && target.object.bucket == bucket && target.object.path == path)
    }

    @Test(
        "--list accepts a prefix, an s3:// URL, and an empty text for the whole store",
        arguments: [
            ("photos/", nil, "photos/"), ("", nil, ""), ("s3://media/", "media", ""),
            ("s3://media/a/b/", "media", "a/b/"),
        ] as [(String, String?, String)])
    func list(_ text: String, _ bucket: String?, _ prefix: String) throws {
        let command = try URLCommand.parse(["--list", text, "--delimiter", "/", "--max-keys", "9"])
        let target = try command.target()
        #expect(target.method == nil && target.object.bucket == bucket && target.object.path == prefix)
        var fields = PresignRequest()
        command.listing.apply(to: &fields)
        #expect(fields.hasPrefix && fields.maxKeys == 9 && fields.delimiter == "/")
    }

    @Test("Settings of the object become the fields of a request")
    func settings() throws {
        let command = try URLCommand.parse([
            "PUT", "a", "--metadata", "Owner=a=b", "--tag", "scan=", "--cache-control", "no-store",
            "--content-disposition", "inline", "--content-encoding", "gzip", "--content-language", "de",
            "--storage-class", "GLACIER", "--server-side-encryption", "aws:kms", "--kms-key-id", "alias/a", "--acl",
            "private",
        ])
        let headers = UploadSetting.headers(of: try command.object.settings())
        #expect(
            headers.map { "\($0.name): \($0.value)" } == [
                "x-amz-meta-owner: a=b", "cache-control: no-store", "content-disposition: inline",
                "content-encoding: gzip", "content-language: de", "x-amz-storage-class: GLACIER",
                "x-amz-server-side-encryption: aws:kms", "x-amz-server-side-encryption-aws-kms-key-id: alias/a",
                "x-amz-acl: private", "x-amz-tagging: scan=",
            ])
        #expect(!command.object.isEmpty)
        #expect(try URLCommand.parse(["a"]).object.isEmpty)
        #expect(throws: (any Error).self) { try URLCommand.parse(["a", "--tag", "scan"]) }
        let invalid = try URLCommand.parse(["PUT", "a", "--server-side-encryption", "AES"])
        let failure = #expect(throws: ProgramFailure.self) { try invalid.object.settings() }
        #expect(failure?.description.hasPrefix("serverSideEncryption: must be AES256 or aws:kms") == true)
        let prefixed = try URLCommand.parse(["PUT", "a", "--metadata", "X-Amz-Meta-A=b"])
        let doubled = #expect(throws: ProgramFailure.self) { try prefixed.object.settings() }
        #expect(doubled?.description.contains("leave out the prefix") == true)
    }

    @Test("Durations and sizes have units")
    func units() throws {
        let command = try URLCommand.parse(
            ["a", "--expires-in", "15m", "--part-size", "1g", "--output", "curl", "--part-number", "1"])
        #expect(command.expiresIn == 900 && command.partSize == 1 << 30)
        #expect(throws: ValidationError.self) { try PartSizeOption.bytes("1m") }
        #expect(throws: ValidationError.self) { try DurationOption.seconds("-1") }
    }
}

@Suite("The output of presign key new")
struct NewKeyTests {
    @Test("A terminal gets labels and the place of the hash, a script the bare lines")
    func labels() throws {
        let command = try Key.New.parse(["web"])
        #expect(command.lines(id: "web", key: "psk_x", hash: "sha256:y", isTerminal: false) == ["psk_x", "sha256:y"])
        let labelled = command.lines(id: "web", key: "psk_x", hash: "sha256:y", isTerminal: true)
        #expect(labelled.prefix(2) == ["key:  psk_x", "hash: sha256:y"])
        #expect(labelled.last == #"      - {id: web, hashes: ["sha256:y"]}"#)
    }
}
