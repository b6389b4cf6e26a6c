import Presigning
import Requests
import Text

@testable import DataFormats
@testable import PresignService

/// Compares the strict reader with the naive one, and what is written with what was read.
enum JSONCheck {
    static func fault(in input: [UInt8]) -> String? {
        let value = try? JSONValue(parsing: input)
        if value != NaiveJSON.value(of: input) { return "the readers differ" }
        let skipped = NaiveJSON.value(of: input, allowsRepeatedNames: true) != nil
        if (try? JSONReader.skipped(input)) != (skipped ? input.count : nil) { return "a value is skipped differently" }
        guard let value else { return nil }
        var written = ByteBuffer()
        written.appendJSON(value)
        guard let again = try? JSONValue(parsing: written.bytes, limits: JSONLimits(size: .max)), again == value else {
            return "the written value is read as a different one"
        }
        return nil
    }
}

extension JSONReader {
    /// Skips a whole text and returns its length in bytes.
    static func skipped(_ text: [UInt8]) throws(SyntaxError) -> Int {
        var reader = try JSONReader(text[...])
        try reader.skipValue()
        try reader.end()
        return reader.position
    }
}

/// Compares the items of a batch, found without building a tree, with the tree of the whole body.
enum BatchCheck {
    static func fault(in input: [UInt8]) -> String? {
        let tree = NaiveJSON.value(of: input, depth: 10, allowsRepeatedNames: true)
        let items: [JSONValue]? =
            if case .object(let members)? = tree, members.count == 1, members[0].name == Array("requests".utf8),
                case .array(let items) = members[0].value, 1...1000 ~= items.count
            {
                items
            } else {
                nil
            }
        guard let found = try? PresignBatch(input[...], limit: 1 << 20) else {
            return items == nil ? nil : "a batch is refused"
        }
        let read = found.ranges.map { NaiveJSON.value(of: Array(input[$0]), allowsRepeatedNames: true) }
        guard let items else { return "an invalid batch is accepted" }
        if read != items.map(Optional.some) { return "the items differ" }
        for range in found.ranges { if let fault = fault(inItem: Array(input[range])) { return fault } }
        return nil
    }

    /// An item inside a body must decode to the same value as on its own.
    private static func fault(inItem item: [UInt8]) -> String? {
        let within = ([0x5B] + item + [0x5D])[1..<(item.count + 1)]
        let (alone, together) = (decoded(item[...]), decoded(within))
        return alone == together ? nil : "an item is read as \(together), alone as \(alone)"
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String {
        do throws(InvalidRequest) {
            var request = try PresignRequest(json: text, from: .item)
            try request.selectOperation()
            return "\(request.path) \(request.action) \(request.headers) \(request.objectQuery)"
        } catch {
            return error.detail
        }
    }
}
