extension ContractCase {
    static let iceberg =
        [
            iceberg(200, "download", [key, json], question("uploads/web/a")),
            iceberg(200, "deletion", [key, json], deletion),
            iceberg(400, "no JSON", [key, json], "{"),
            iceberg(400, "dot segment", [key, json], question("uploads/web/../a")),
            iceberg(401, "no key", [json], question("uploads/web/a")),
            iceberg(401, "a password", [json, "Authorization: Basic YTpi"], question("uploads/web/a")),
            iceberg(403, "another's path", [key, json], question("uploads/other/a")),
            iceberg(403, "from a page", [key, json, "Origin: \(LiveService.origin)"], question("uploads/web/a")),
            iceberg(404, "not offered", [key, json], question("uploads/web/a")).bare,
            iceberg(405, "GET", [key]).replacing("POST /", with: "GET /"),
            iceberg(413, "long", [key, json, "Content-Length: 2000000"]),
            iceberg(415, "form", [key, form], "a=b"),
            iceberg(
                422, "version", [key, json], question("uploads/web/a?versionId=1")),
            iceberg(503, "no credentials", [key, json], question("uploads/web/a").replacing("media", with: "idle"))
                .replacing("/media/", with: "/idle/"),
        ]
        + [iceberg(429, "twice", [key, json], question("uploads/web/a"))].map { once in
            var twice = once
            twice.isRepeated = true
            return twice
        }

    private static func question(_ path: String) -> String {
        #"{"method":"GET","uri":"https://acme-media.s3.eu-west-1.amazonaws.com/\#(path)","region":"eu-west-1","headers":{}}"#
    }

    private static let deletion =
        String(question("?delete").replacing("GET", with: "POST").dropLast())
        + #","body":"<Delete><Object><Key>uploads/web/a</Key></Object></Delete>"}"#

    private static func iceberg(
        _ status: Int, _ name: String, _ headers: [String], _ body: String = ""
    ) -> ContractCase {
        ContractCase(
            name: name, operation: .init(path: "/iceberg/{store}/sign", method: "post"), status: status, code: nil,
            request: message("POST /iceberg/media/sign", headers, body))
    }
}
