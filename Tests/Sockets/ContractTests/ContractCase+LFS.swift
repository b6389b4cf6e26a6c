extension ContractCase {
    static let lfs = [
        lfs(
            200, nil, "download and refused object", [key, lfsType],
            #"{"operation":"download","objects":[\#(object),{}]}"#),
        lfs(
            200, nil, "upload of a stored object and of another size", [key, lfsType],
            #"{"operation":"upload","objects":[\#(object),\#(object.replacing(#""size":1"#, with: #""size":2"#))]}"#),
        lfs(400, "validation", "no objects", [key, lfsType], #"{"operation":"upload"}"#),
        lfs(401, "credentials-missing", "no key", [lfsType], "{}"),
        lfs(405, "method-not-allowed", "GET", [key]).replacing("POST /lfs", with: "GET /lfs"),
        lfs(404, "no-such-route", "not offered", [key, lfsType], "{}").bare,
        lfs(409, "validation", "another hash", [key, lfsType], #"{"operation":"upload","hash_algo":"md5"}"#),
        lfs(413, "body-too-large", "long", [key, lfsType, "Content-Length: 2000000"]),
        lfs(415, "unsupported-media-type", "form", [key, form], "a=b"),
    ]

    var bare: ContractCase {
        var bare = self
        bare.isBare = true
        return bare
    }

    func replacing(_ text: String, with other: String) -> ContractCase {
        var replaced = self
        replaced.request = request.replacing(text, with: other)
        return replaced
    }

    private static let lfsType = "Content-Type: application/vnd.git-lfs+json"
    private static let object = #"{"oid":"\#(String(repeating: "0", count: 64))","size":1}"#

    private static func lfs(
        _ status: Int, _ code: String?, _ name: String, _ headers: [String], _ body: String = ""
    ) -> ContractCase {
        ContractCase(
            name: name, operation: .init(path: "/lfs/{repository}/objects/batch", method: "post"), status: status,
            code: code, request: message("POST /lfs/acme/app/objects/batch", headers, body))
    }
}
