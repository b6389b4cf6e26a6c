import Presigning
import Requests
import TestSupport
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats

@Suite("Limits of multipart uploads")
struct PartSizeTests {
    /// The size of a part, and of the whole upload; nil for no limit.
    private static func policy(_ partSize: Int64, _ maxSize: Int64?) throws -> AccessPolicy {
        let write = maxSize.map { "write: {maxSize: \($0), types: [image/*]}, " } ?? ""
        return try PolicyFixture.compile(
            "rules:\n  - {path: a/*, allow: {everyone: [multipart]}, \(write)multipart: {partSize: \(partSize)}}"
        ).policy
    }

    private static func part(_ number: Int64?, _ length: Int64?) -> PresignRequest {
        var request = PolicyFixture.request("a/b", .multipart, step: .part)
        (request.partNumber, request.contentLength) = (number, length)
        return request
    }

    private static func unmet(_ decision: AccessDecision) -> [UnmetConstraint] {
        if case .unmet(let unmet, _) = decision { unmet } else { [] }
    }

    private static let mebibyte: Int64 = 1 << 20

    @Test(
        "Part n is allowed if its length fits in a part, and after n - 1 full parts in the upload",
        arguments: [
            // (n, length, partSize, maxSize, the field that is refused), with sizes in MiB.
            (1, 5, 5, 11, nil), (1, 6, 5, 11, "contentLength"), (1, 0, 5, 11, nil), (1, nil, 5, 11, "contentLength"),
            (2, 5, 5, 11, nil), (3, 1, 5, 11, nil), (3, 2, 5, 11, "contentLength"), (4, 0, 5, 11, "partNumber"),
            (4, 1, 5, 11, "partNumber"), (nil, 1, 5, 11, "partNumber"), (0, 1, 5, 11, "partNumber"),
            (-1, 1, 5, 11, "partNumber"), (.min, 1, 5, 11, "partNumber"), (.max, 1, 5, 11, "partNumber"),
            (1, 5, 5, 5, nil), (2, 0, 5, 5, nil), (2, 1, 5, 5, "contentLength"), (1, 3, 5, 2, "contentLength"),
            (1, 2, 5, 2, nil), (10_000, 5, 5, nil, nil), (10_001, 1, 5, nil, "partNumber"),
            (1, 6, 5, nil, "contentLength"), (10_000, 5120, 5120, nil, nil), (10_000, 5121, 5120, nil, "contentLength"),
            (10_000, 5, 5, 50_000, nil), (10_000, 6, 5, 50_000, "contentLength"), (10_001, 0, 5, 50_000, "partNumber"),
        ] as [(Int64?, Int64?, Int64, Int64?, String?)])
    func table(number: Int64?, length: Int64?, partSize: Int64, maxSize: Int64?, field: String?) throws {
        let policy = try Self.policy(partSize * Self.mebibyte, maxSize.map { $0 * Self.mebibyte })
        let decision = policy.decision(for: Self.part(number, length.map { $0 * Self.mebibyte }))
        #expect(Self.unmet(decision).map(\.requestField) == (field.map { [$0] } ?? []))
        #expect(decision.code == (field == nil ? "allowed" : "unmet"))
    }

    @Test(
        "One byte decides",
        arguments: [(1, 0, true), (1, 1, false), (2, 0, true), (2, 1, false), (3, 0, true), (3, 1, false)]
            as [(Int64, Int64, Bool)])
    func boundary(number: Int64, excess: Int64, isAllowed: Bool) throws {
        let (size, total) = (5 * Self.mebibyte + 3, 11 * Self.mebibyte)
        let room = min(size, total - (number - 1) * size)
        let decision = try Self.policy(size, total).decision(for: Self.part(number, room + excess))
        #expect((decision.code == "allowed") == isAllowed)
    }

    @Test(
        "The largest allowed parts add up to exactly maxSize, or to 10,000 parts without it",
        arguments: [
            (5 << 20, 1), (5 << 20, 5 << 20), (5 << 20, (5 << 20) + 1), (5 << 20, (11 << 20) - 1),
            ((5 << 20) + 7, 123_456_789), (16 << 20, 100 << 30), (5 << 20, 10_000 * (5 << 20)), (5 << 20, nil),
            (5 << 30, 5 << 40),
        ] as [(Int64, Int64?)])
    func sum(partSize: Int64, maxSize: Int64?) throws {
        let policy = try Self.policy(partSize, maxSize)
        var sum: Int64 = 0
        for number in 1...10_000 as ClosedRange<Int64> {
            let rest = maxSize.map { $0 - (number - 1) * partSize } ?? partSize
            let largest = [partSize, rest].filter { length in
                length >= 0 && policy.decision(for: Self.part(number, length)).code == "allowed"
            }.max()
            guard let largest else { break }
            #expect(policy.decision(for: Self.part(number, largest + 1)).code == "unmet")
            sum += largest
        }
        #expect(sum == maxSize ?? 10_000 * partSize)
    }

    @Test("Any set of allowed parts, in any order, is at most maxSize", arguments: 1...20 as ClosedRange<UInt64>)
    func anyOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let partSize = Int64.random(in: 5 << 20...64 << 20, using: &random)
        let maxSize = Int64.random(in: 1...20 * partSize, using: &random)
        let policy = try Self.policy(partSize, maxSize)
        // A part sent again replaces the first one.
        var parts: [Int64: Int64] = [:]
        for _ in 0..<500 {
            let number = Int64.random(in: 1...22, using: &random)
            let rest = maxSize - (number - 1) * partSize
            let length =
                [partSize, rest, rest + 1, Int64.random(in: 0...partSize, using: &random)]
                .randomElement(using: &random) ?? 0
            if policy.decision(for: Self.part(number, length)).code == "allowed" { parts[number] = length }
            #expect(parts.values.reduce(0, +) <= maxSize)
        }
        #expect(!parts.isEmpty)
    }

    @Test("The messages name the part, its maximum and the last part")
    func messages() throws {
        let policy = try Self.policy(16 * Self.mebibyte, 100 * Self.mebibyte)
        let cases: [(Int64?, Int64?, String)] = [
            (1, nil, "is missing; part 1 may have at most 16 MiB"),
            (2, 16_777_217, "16777217 bytes is more than this rule allows for part 2 (16 MiB)"),
            (7, 4_194_305, "4194305 bytes is more than this rule allows for part 7 (4 MiB)"),
            (8, 1, "8 is not one of the parts that this rule allows (1 to 7)"),
            (nil, 1, "is missing; must be 1 to 7"),
        ]
        for (number, length, message) in cases {
            #expect(Self.unmet(policy.decision(for: Self.part(number, length))).map(\.description) == [message])
        }
    }

    @Test(
        "Creation is limited by the types, completion by a declared size; other steps are not",
        arguments: [
            (MultipartStep.create, "image/png", nil, nil), (.create, "text/html", nil, "contentType"),
            (.create, nil, nil, "contentType"), (.complete, nil, nil, nil), (.complete, nil, 11 << 20, nil),
            (.complete, nil, (11 << 20) + 1, "contentLength"), (.list, nil, nil, nil), (.abort, nil, nil, nil),
            (nil, nil, nil, nil), (nil, "text/html", nil, "contentType"), (nil, nil, (11 << 20) + 1, "contentLength"),
        ] as [(MultipartStep?, String?, Int64?, String?)])
    func steps(step: MultipartStep?, type: String?, length: Int64?, field: String?) throws {
        var request = PolicyFixture.request("a/b", .multipart, step: step)
        (request.contentType, request.contentLength) = (type, length)
        let decision = try Self.policy(5 * Self.mebibyte, 11 * Self.mebibyte).decision(for: request)
        #expect(Self.unmet(decision).map(\.requestField) == (field.map { [$0] } ?? []))
    }

    @Test("Without partSize, maxSize limits only `write`, and parts need no length")
    func withoutPartSize() throws {
        let yaml = "rules:\n  - {path: a/*, allow: {everyone: [write, multipart]}, write: {maxSize: 1k}}"
        let policy = try PolicyFixture.compile(yaml).policy
        #expect(policy.decision(for: Self.part(1, nil)).code == "allowed")
        #expect(policy.decision(for: Self.part(9, 1 << 30)).code == "allowed")
        let permissions = try policy.permissions(of: .guest, on: Array("a/b".utf8), in: nil)
        #expect(permissions.map(\.action) == [.write, .multipart])
        #expect(permissions.map(\.constraints.maximumSize) == [1024, nil])
    }

    @Test("Grants can have sizes of their own; the parts of all have the rule's size")
    func grants() throws {
        let yaml = """
            rules:
              - path: a/*
                allow: {everyone: [multipart], group:big: {actions: [multipart], maxSize: 1g}}
                write: {maxSize: 11m}
                multipart: {partSize: 5m}
            """
        let policy = try PolicyFixture.compile(yaml).policy
        var request = Self.part(4, 1)
        #expect(policy.decision(for: request).code == "unmet")
        request.caller = PolicyFixture.user("a", groups: ["big"])
        #expect(policy.decision(for: request).code == "allowed")
        let permission = try #require(
            try policy.permissions(of: request.caller, on: request.path, in: nil).first { $0.action == .multipart })
        #expect(permission.constraints.maximumSize == 1 << 30 && permission.constraints.partSize == 5 << 20)
    }
}
