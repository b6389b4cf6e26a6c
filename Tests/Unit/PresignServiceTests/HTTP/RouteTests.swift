import Testing

@testable import HTTP1
@testable import PresignService

@Suite("Routes")
struct RouteTests {
    @Test(
        "A path selects its route, byte for byte",
        arguments: [
            ("/presign", Route.presign), ("/presign/batch", .batch), ("/healthz", .healthz), ("/readyz", .readyz),
            ("/metrics", .metrics), ("/openapi.yaml", .openAPI), ("/openapi", .other), ("*", .asterisk), ("/", .page),
            ("/presign.js", .page), ("/o/", .link), ("/permissions", .permissions), ("/permissions/", .other),
            ("/permission", .other), ("/iceberg/media/sign", .iceberg), ("/iceberg//sign", .other),
            ("/iceberg/a/b/sign", .other), ("/iceberg/media/sign/", .other), ("/iceberg/sign", .other),
            ("/o/a/%20b", .link), ("/o", .other), ("/presign/", .other), ("/Presign", .other), ("/presigns", .other),
            ("/presign/batch/", .other), ("/healthy", .other), ("/p/", .other), ("/page", .other), ("", .other),
        ])
    func paths(path: String, route: Route) {
        #expect(Route(path: ArraySlice(path.utf8)) == route)
    }

    @Test("A request without a path asks for the page; OPTIONS for the whole service")
    func emptyPath() {
        #expect(Route(path: HTTPRequest(path: []).path) == .page)
        #expect(Route(path: HTTPRequest(method: .options, path: []).path) == .asterisk)
    }

    @Test("The path of a link is what follows the route's prefix")
    func link() {
        #expect(Route.linkedPath(of: HTTPRequest(path: ArraySlice("/o/a/%20b".utf8))) == ArraySlice("a/%20b".utf8))
    }

    private static let all: [HTTPMethod] = [.get, .head, .post, .put, .delete, .options, .patch, .trace, .connect]

    private static func listed(by route: Route) -> [String] {
        route.allow.split(separator: ", ").map(String.init).sorted()
    }

    private static func accepted(by routes: [Route]) -> [String] {
        all.filter { method in routes.contains { $0.refusal(of: method) == nil } }.map(\.description).sorted()
    }

    @Test("A route lists exactly the methods that it accepts", arguments: Route.allCases.filter { $0 != .asterisk })
    func methods(route: Route) {
        #expect(Self.listed(by: route) == Self.accepted(by: [route]))
    }

    @Test("`*` accepts OPTIONS and lists the methods of all routes")
    func asterisk() {
        #expect(Self.accepted(by: [.asterisk]) == ["OPTIONS"])
        #expect(Self.listed(by: .asterisk) == Self.accepted(by: Route.allCases))
        #expect(Route.asterisk.allow == "GET, HEAD, POST, PUT, OPTIONS")
    }
}
