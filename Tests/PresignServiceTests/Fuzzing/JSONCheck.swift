@testable import DataFormats
@testable import PresignService

/// The strict readers against the naive one, and what is written against what is read.
enum JSONCheck {
    static func fault(in input: [UInt8]) -> String? {
        let value = try? JSONValue(parsing: input)
        if value != NaiveJSON.value(of: input) { return "the readers differ" }
        let members = members(of: input)
        if case .object(let object)? = value {
            if members != object.map(\.name) { return "the member reader differs" }
        } else if members != nil {
            return "the member reader accepts what is no object"
        }
        guard let value else { return nil }
        var written: [UInt8] = []
        written.appendJSON(value)
        guard let again = try? JSONValue(parsing: written, limits: JSONLimits(size: .max)), again == value else {
            return "what is written is read as something else"
        }
        return nil
    }

    /// The names of an object's members by the reader that builds nothing.
    private static func members(of input: [UInt8]) -> [[UInt8]]? {
        do {
            let text = input.span
            var reader = try JSONMemberReader(text)
            var seen = SeenNames()
            var names: [[UInt8]] = []
            while let member = try reader.next(in: text, &seen) {
                names.append(reader.bytes(of: member.name, in: text))
                if let found = member.value.string, !isUTF8(reader.bytes(of: found, in: text)) { return [] }
                _ = reader.integer(member.value, in: text)
            }
            return names
        } catch {
            return nil
        }
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }
}

/// The items of a batch, found without building anything, against the tree of the whole body.
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
        guard let found = try? BatchItems(input[...], limit: 1 << 20) else {
            return items == nil ? nil : "a batch is refused"
        }
        let read = found.ranges.map { NaiveJSON.value(of: Array(input[$0]), allowsRepeatedNames: true) }
        guard let items else { return "what is no batch is accepted" }
        if read != items.map(Optional.some) { return "the items differ" }
        for range in found.ranges { if let fault = fault(inItem: Array(input[range])) { return fault } }
        return nil
    }

    /// An item in the middle of a body is decoded as it would be alone.
    private static func fault(inItem item: [UInt8]) -> String? {
        let within = ([0x5B] + item + [0x5D])[1..<(item.count + 1)]
        let (alone, together) = (decoded(item[...]), decoded(within))
        return alone == together ? nil : "an item is read as \(together), alone as \(alone)"
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String {
        do {
            let text = text.span
            var reader = try JSONMemberReader(text)
            let fields = try PresignFields(decoding: text, with: &reader, of: "item")
            let plan = try PresignPlan(fields)
            return "\(fields.path) \(plan.action) \(plan.headers) \(plan.query)"
        } catch let problem as Problem {
            return problem.detail
        } catch {
            return "\(error)"
        }
    }
}
