import TestSupport
import Testing

@testable import LocalStorage
@testable import Presigning

@Suite("Pages of unfinished uploads")
struct ListedUploadTests {
    private static func upload(_ key: [UInt8], _ id: UInt8) -> ListedUpload {
        ListedUpload(
            id: [id],
            footer: ObjectFooter(
                bucket: [], key: key, contentLength: 0, entityTag: [], lastModified: .init(secondsSince1970: 0)))
    }

    /// The key and id of each upload and the name of each group, in the order of a listing.
    private static func names(_ page: ListPage<ListedUpload>) -> [[[UInt8]]] {
        (page.items.map { [$0.footer.key, $0.id] } + page.groups.map { [$0] })
            .sorted { $0.joined(separator: []).lexicographicallyPrecedes($1.joined(separator: [])) }
    }

    /// All names of a listing, read in pages of `maxKeys` with the markers of each page.
    private static func pages(_ uploads: [ListedUpload], _ query: ListQuery) -> [[[UInt8]]] {
        var (query, marker, names): (ListQuery, [UInt8]?, [[[UInt8]]]) = (query, nil, [])
        while true {
            let page = ListPage(of: uploads, query, after: marker)
            #expect(page.count <= query.maxKeys)
            names += Self.names(page)
            guard page.isTruncated else { return names }
            query.marker = page.last
            marker = page.items.last.flatMap { $0.footer.key == page.last ? $0.id : nil }
        }
    }

    @Test("Pages hold every upload once, by key and id, and every group once", arguments: 1...10 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let uploads = (1...12).map { id in
                // Keys of equal length, so that the order of key and id is that of the joined bytes.
                Self.upload((0..<3).map { _ in [0x2F, 0x61, 0x62].randomElement(using: &generator) ?? 0 }, id)
            }
            var query = ListQuery(maxKeys: Int.random(in: 1...4, using: &generator))
            query.prefix = Bool.random(using: &generator) ? [] : [0x61]
            query.delimiter = Bool.random(using: &generator) ? nil : [0x2F]
            var expected: Set<[[UInt8]]> = []
            for upload in uploads where upload.footer.key.starts(with: query.prefix) {
                let key = upload.footer.key
                let end = key.dropFirst(query.prefix.count).firstIndex(of: 0x2F)
                let group = query.delimiter.flatMap { _ in end.map { Array(key[...$0]) } }
                expected.insert(group.map { [$0] } ?? [key, upload.id])
            }
            let found = Self.pages(uploads, query)
            #expect(found.count == expected.count && Set(found) == expected, "\(query)")
        }
    }

    @Test("Without an id, the uploads to the key of the marker are omitted; with one, those that follow it are listed")
    func markers() {
        let uploads = [Self.upload([1], 5), Self.upload([1], 6), Self.upload([2], 1)]
        var query = ListQuery()
        #expect(ListPage(of: uploads, query, after: [9]).count == 3)
        query.marker = [1]
        #expect(Self.names(ListPage(of: uploads, query, after: nil)) == [[[2], [1]]])
        #expect(Self.names(ListPage(of: uploads, query, after: [5])) == [[[1], [6]], [[2], [1]]])
        query.maxKeys = 0
        #expect(!ListPage(of: uploads, query, after: nil).isTruncated)
    }
}
