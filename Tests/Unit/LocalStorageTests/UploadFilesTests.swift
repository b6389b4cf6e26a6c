import Foundation
import TestSupport
import Testing

@testable import LocalStorage

@Suite("Temporary upload files")
struct UploadFilesTests {
    private func store(_ directory: TemporaryDirectory) throws -> LocalStore {
        try LocalStore(directory: directory.path, buckets: [])
    }

    @Test("An abandoned file is removed on the cleanup queue, not where its last reference is released")
    func givenUp() throws {
        let directory = try TemporaryDirectory()
        let store = try store(directory)
        store.cleanup.queue.suspend()
        do { _ = try store.objects.newFile() }
        let left = try directory.files(in: "/incoming").count
        store.cleanup.queue.resume()
        #expect(left == 1)
        store.cleanup.queue.sync {}
        #expect(try directory.files(in: "/incoming").isEmpty)
    }

    @Test("An upload that fails to start leaves no directory")
    func beginning() throws {
        let directory = try TemporaryDirectory()
        let store = try store(directory)
        let file = try store.objects.newFile()
        try file.seal(ObjectFooterTests.footer)
        for name in try directory.files(in: "/incoming").keys {
            try FileManager.default.removeItem(atPath: "\(directory.path)/incoming/\(name)")
        }
        #expect { try store.uploads.begin(file) } throws: { ($0 as? S3Error)?.status == 500 }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path + "/uploads").isEmpty)
    }
}
