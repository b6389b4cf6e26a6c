import Testing

@testable import DataFormats
@testable import PresignService

@Suite("Notes about the upload page")
struct PageNoteTests {
    private static let hash = "sha256:" + String(repeating: "a", count: 64)

    private static func notes(page: String, store: String = "", _ rules: [String]) throws -> [String] {
        let yaml = """
            version: 1
            stores: {media: {bucket: b-1, region: eu-west-1\(store)}}
            auth: {apiKeys: [{id: web, hashes: ["\(hash)"]}]}
            page: \(page)
            rules: [\(rules.joined(separator: ", "))]
            """
        return try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml").summary
            .filter { $0.hasPrefix("note: ") }.map { String($0.dropFirst(6)) }
    }

    private static let unlisted =
        "the page cannot list the files of `media`; set `stores.media.listing: true`"

    @Test(
        "A store that rules let callers list, but whose listings are off",
        arguments: [
            ("true", "", "[read]", true), ("true", "", "[list, write, multipart]", true),
            ("{guestFolders: true}", "", "[read]", true), ("true", ", listing: true", "[read]", false),
            ("true", ", listing: false", "[read]", true), ("true", "", "[get, write, multipart]", false),
            ("false", "", "[read]", false),
        ])
    func listing(page: String, store: String, actions: String, isNoted: Bool) throws {
        let found = try Self.notes(page: page, store: store, ["{path: a/**, allow: {authenticated: \(actions)}}"])
        #expect(found == (isNoted ? [Self.unlisted] : []))
    }

    @Test(
        "A rule whose large files cannot be sent in parts",
        arguments: [
            ("authenticated: [get, write]", "", "grant `multipart`"),
            ("authenticated: [get, write], owner: [write]", "", "grant `multipart`"),
            ("authenticated: [write], owner: [multipart]", "", nil),
            ("authenticated: [write, multipart]", "", nil), ("authenticated: [get]", "", nil),
            ("authenticated: [write]", ", write: {maxSize: 16m}", nil),
            ("authenticated: [write]", ", write: {maxSize: 17m}", "grant `multipart`, with a `multipart.partSize`"),
            ("authenticated: {actions: [write], maxSize: 1g}", ", write: {maxSize: 1m}", "with a `multipart.partSize`"),
            ("authenticated: {actions: [write], maxSize: 1m}", ", write: {maxSize: 1g}", nil),
        ] as [(String, String, String?)])
    func parts(grants: String, limits: String, fix: String?) throws {
        let rules = ["{path: \"a/{identity}/**\", allow: {\(grants)}\(limits)}"]
        let found = try Self.notes(page: "true", rules)
        #expect(found.count == (fix == nil ? 0 : 1), "\(found)")
        #expect(found.allSatisfy { $0.hasPrefix("a/{identity}/** (c.yaml:5:16): files above 16 MiB go in one PUT") })
        #expect(found.allSatisfy { $0.hasSuffix(fix ?? "") }, "\(found)")
        #expect(try Self.notes(page: "false", rules) == [])
    }
}
