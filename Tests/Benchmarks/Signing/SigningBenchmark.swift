import Presigning

/// Signs the reference request repeatedly: `SigningBenchmark standing|temporary COUNT|url`. It prints only the URL, and
/// only on request: the caller, such as `../signing.py`, measures processor time or instructions and subtracts two
/// counts. The other programs of this folder sign the same request.
@main
enum SigningBenchmark {
    struct Misuse: Error, CustomStringConvertible {
        let description = "usage: SigningBenchmark standing|temporary COUNT|url"
    }

    /// 20261121T012233Z.
    private static let time = SigningTime(secondsSince1970: 1_795_224_153)

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let credentials = try credentials(arguments[1]) else { throw Misuse() }
        let bucket = try S3Bucket(S3EndpointOptions(bucket: "media-uploads-prod", region: "eu-west-1"))
        let key: StoragePath = "users/7f3c9a52/photos/2026/11/holiday snap (1).jpg"
        let task = AWSS3StorageGetURLTask(.getObject, key: key, in: bucket, expiresIn: 900)
        var presigner = Presigner()
        if arguments[2] == "url" {
            print(try task.url(with: credentials, at: time, using: &presigner).text)
            return
        }
        guard let count = Int(arguments[2]), count >= 0 else { throw Misuse() }
        var seconds = 0
        for _ in 0..<count {
            let url = try task.url(with: credentials, at: time, using: &presigner)
            seconds &+= url.expiresIn
        }
        precondition(count == 0 || seconds > count)
    }

    private static func credentials(_ kind: String) throws(StorageError) -> Credentials? {
        let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
        return switch kind {
        case "standing":
            try Credentials(
                accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: secret, sessionToken: nil, expiration: nil)
        case "temporary":
            try Credentials(
                accessKeyID: "ASIAIOSFODNN7EXAMPLE", secretAccessKey: secret,
                sessionToken: String(repeating: "IQoJb3JpZ2luX2Vj/+AB", count: 18) + "==", expiration: nil)
        default: nil
        }
    }
}
