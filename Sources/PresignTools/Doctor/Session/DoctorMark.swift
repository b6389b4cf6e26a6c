package import Presigning
import Text

/// What proves that an object belongs to a run of `presign doctor`: its exact name, and a content that repeats the name
/// of the run. Nothing else is ever deleted.
package struct DoctorMark: Sendable, Equatable {
    /// The objects of a run. The raw value is the last segment of the key.
    package enum Slot: String, Sendable, CaseIterable {
        /// Objects that exist during the whole run.
        case object, other
        /// The object that checks write to.
        case target
        /// An object that is created once.
        case created
        case multipart
        /// A key that no request may create.
        case elsewhere
        case deleted
        /// A key that is never written.
        case missing
    }

    /// The contents that a run uploads. The raw value is their last line; all have the same length.
    package enum Content: String, Sendable, CaseIterable {
        /// The content of `Slot.object`.
        case first = "content 1"
        /// Any other content.
        case second = "content 2"
    }

    /// The beginning of every run's name.
    static let runStart = "doctor-"

    /// `doctor-TIME-RANDOM`: the time of the run and 32 hexadecimal digits.
    package let run: String

    /// Creates the mark of a new run.
    package init(at time: SigningTime) { run = "\(Self.runStart)\(time.basicText)-\(Self.randomName())" }

    /// Returns 32 random hexadecimal digits, from the kernel.
    static func randomName() -> String { Hexadecimal.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) }) }

    private init(run: String) { self.run = run }

    /// The key of an object below the prefix, which is empty or ends in "/".
    package func key(of slot: Slot, below prefix: [UInt8]) -> [UInt8] { prefix + Array("\(run)/\(slot.rawValue)".utf8) }

    /// The bytes of a content.
    package func bytes(_ content: Content) -> [UInt8] {
        Array("presign doctor test object, safe to delete\n\(run)\n\(content.rawValue)\n".utf8)
    }

    /// Whether an object's content is one that this run uploaded.
    package func isProved(by body: [UInt8]) -> Bool {
        Content.allCases.contains { body == bytes($0) || body == bytes($0) + Self.surplus }
    }

    /// Bytes that make a content longer than signed.
    package static let surplus: [UInt8] = Array("surplus\n".utf8)

    /// The content in a body; nil for any other body.
    static func content(of body: [UInt8]) -> Content? {
        guard body.starts(with: "presign doctor test object, ".utf8) else { return nil }
        let lines = body.split(separator: ASCII.lineFeed).prefix(3)
        return lines.last.flatMap { Content(rawValue: String(decoding: $0, as: UTF8.self)) }
    }

    /// Returns the mark and the slot in a key; nil unless the whole key is one that a run would use.
    package static func parse(_ key: [UInt8], below prefix: [UInt8]) -> (mark: DoctorMark, slot: Slot)? {
        guard key.starts(with: prefix) else { return nil }
        let parts = key.dropFirst(prefix.count).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, isRun(parts[0]), let slot = Slot(rawValue: String(decoding: parts[1], as: UTF8.self))
        else { return nil }
        return (DoctorMark(run: String(decoding: parts[0], as: UTF8.self)), slot)
    }

    /// Whether the bytes are `doctor-YYYYMMDDTHHMMSSZ-` and 32 lower-case hexadecimal digits.
    private static func isRun(_ bytes: ArraySlice<UInt8>) -> Bool {
        let form = Array("\(runStart)00000000T000000Z-".utf8)
        guard bytes.count == form.count + 32 else { return false }
        let matchesForm = zip(bytes, form).allSatisfy { byte, expected in
            expected == ASCII.zero ? isDigit(byte) : byte == expected
        }
        return matchesForm && bytes.suffix(32).allSatisfy { isDigit($0) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
