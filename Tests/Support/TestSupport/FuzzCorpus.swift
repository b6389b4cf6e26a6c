import Foundation

/// The seed inputs of the fuzzers and the inputs they have found.
package enum FuzzCorpus {
    /// The inputs of one target, with the names of their files.
    package static func inputs(of target: String) throws -> [(name: String, bytes: [UInt8])] {
        let folder = Repository.root.appending(path: "Tests/Fuzzers/Corpus/\(target)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            ($0, Array(try Data(contentsOf: folder.appending(path: $0))))
        }
    }

    /// Every prefix of an input, and the input with each byte changed in turn.
    package static func variants(of bytes: [UInt8], using random: inout some RandomNumberGenerator) -> [[UInt8]] {
        bytes.indices.map { Array(bytes[..<$0]) }
            + bytes.indices.map {
                var changed = bytes
                changed[$0] = .random(in: 0...255, using: &random)
                return changed
            }
    }
}
