import Foundation
import Testing

@testable import PresignClient

@Suite("getURL, list, remove")
struct ListingTests {
    @Test("a listing has paths without the store's prefix, dates, folders and the next token")
    func parse() throws {
        let text = """
            <?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
            <EncodingType>url</EncodingType><Prefix>tenant/a/</Prefix>
            <Contents><Key>tenant/a/b+c%2B.txt</Key><Size>12</Size><ETag>"e"</ETag>
            <LastModified>2026-01-02T03:04:05.678Z</LastModified></Contents>
            <Contents><Key>tenant/a/&#228;&amp;</Key><LastModified>2026-01-02T03:04:05Z</LastModified></Contents>
            <CommonPrefixes><Prefix>tenant/a/sub/</Prefix></CommonPrefixes>
            <NextContinuationToken>next</NextContinuationToken></ListBucketResult>
            """
        let result = StorageListResult(try #require(XMLElement(Data(text.utf8))), prefix: "a/")
        #expect(result.items.map(\.path) == ["a/b c+.txt", "a/ä&"])
        #expect(result.items[0].size == 12 && result.items[0].eTag == "\"e\"")
        let seconds = result.items.compactMap(\.lastModified?.timeIntervalSince1970)
        #expect(seconds.count == 2 && abs(seconds[0] - 1_767_323_045.678) < 0.001 && seconds[1] == 1_767_323_045)
        #expect(result.excludedSubpaths == ["a/sub/"] && result.nextToken == "next")
    }

    @Test("options of a listing become fields")
    func list() async throws {
        try await withWorld { world, folder in
            let client = try world.client(in: folder)
            world.state.with { $0.objects = ["a/1": Data(), "b": Data()] }
            let options = StorageListRequest.Options(subpathStrategy: .exclude, pageSize: 7, nextToken: "t")
            let result = try await client.list(path: .fromString("a/"), options: options)
            #expect(result.items.map(\.path) == ["a/1"] && result.nextToken == nil)
            let signed = try #require(world.state.with { $0.signed.last })
            #expect(signed.prefix == "a/" && signed.delimiter == "/" && signed.maxKeys == 7)
            #expect(signed.continuationToken == "t" && signed.path == nil)
        }
    }

    @Test("options of getURL become fields, and remove returns the path")
    func getURL() async throws {
        try await withWorld { world, folder in
            let client = try world.client(in: folder)
            let further = AWSStorageGetURLOptions(
                validateObjectExistence: true, method: .put, contentType: "image/png", useAccelerateEndpoint: true)
            let url = try await client.getURL(
                path: .fromString("a b"), options: .init(expires: 60, pluginOptions: further))
            #expect(url.absoluteString == "https://storage.test/bucket/a%20b")
            let signed = try #require(world.state.with { $0.signed.last })
            #expect(signed.method == "PUT" && signed.expiresIn == 60 && signed.contentType == "image/png")
            #expect(signed.validateObjectExistence == true && signed.useAccelerateEndpoint == true)
            #expect(try await client.remove(path: .fromString("a")) == "a")
            #expect(world.sent.last?.method == "DELETE")
        }
    }

    @Test("a document with parts escapes and orders them")
    func parts() throws {
        let parts: [Int: UploadRecord.StoredPart] = [
            10: .init(size: 1, etag: "\"b\"", checksum: "c="), 2: .init(size: 1, etag: "<&>", checksum: nil),
        ]
        let root = try #require(XMLElement(PartList.document(parts)))
        #expect(root.all("Part").map { $0["PartNumber"] } == ["2", "10"])
        #expect(root.all("Part").map { $0["ETag"] } == ["<&>", "\"b\""])
        #expect(root.all("Part").map { $0["ChecksumSHA256"] } == [nil, "c="])
    }

    @Test("listed parts of another size are sent again; later ones than the list has come from the record")
    func usableParts() throws {
        let plan = PartPlan(size: 25, partSize: 10)
        let part = { (size: Int64, etag: String) in UploadRecord.StoredPart(size: size, etag: etag, checksum: nil) }
        let known = UploadRecord.Multipart(
            uploadID: "u", partSize: 10, requiredPartSize: nil, hasChecksum: false,
            parts: [1: part(10, "old"), 3: part(5, "three")])
        let item = { (number: Int, size: Int) in
            "<Part><PartNumber>\(number)</PartNumber><ETag>\(number)</ETag><Size>\(size)</Size></Part>"
        }
        let usable = { (list: String, isWrong: Bool) in
            XMLElement(Data("<L>\(list)</L>".utf8)).map {
                PartList($0).usable(in: plan, known: known, isRecordWrong: isWrong).mapValues(\.etag)
            }
        }
        #expect(usable(item(1, 10) + item(2, 9) + item(4, 10), false) == [1: "1"])
        let truncated = "<IsTruncated>true</IsTruncated>"
        #expect(usable(item(1, 10) + truncated, false) == [1: "1", 3: "three"])
        #expect(usable(item(1, 10) + truncated, true) == [1: "1"])
    }
}
