import Foundation
import Testing

/// A file of Tests/PresignServiceTests/Cases.
enum CaseFile {
    static func bytes(_ name: String) throws -> [UInt8] {
        let url = try #require(Bundle.module.url(forResource: "Cases/\(name)", withExtension: nil))
        return Array(try Data(contentsOf: url))
    }
}
