import Presigning

/// How long one pre-signed GET takes on one core, in a release build:
/// `swift run -c release SigningBenchmark`
///
/// Prints the best and the median of many rounds: the machine's other work only ever adds time.
@main
enum SigningBenchmark {
    private static let rounds = 15
    private static let urlsPerRound = 50_000

    static func main() throws {
        let bucket = try S3Bucket(S3EndpointOptions(bucket: "media-uploads-prod", region: "eu-west-1"))
        let key: StoragePath = "users/7f3c9a52/photos/2026/11/holiday snap (1).jpg"
        let standing = try Credentials(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            sessionToken: nil, expiration: nil)
        let temporary = try Credentials(
            accessKeyID: "ASIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            sessionToken: String(repeating: "IQoJb3JpZ2lu", count: 30), expiration: nil)
        let task = AWSS3StorageGetURLTask(.getObject, key: key, in: bucket, expiresIn: 900)
        try measure("GET, standing credentials", task, standing)
        try measure("GET, session token of 360 bytes", task, temporary)
    }

    private static func measure(
        _ name: String, _ task: AWSS3StorageGetURLTask, _ credentials: Credentials
    ) throws {
        var presigner = Presigner()
        var times: [Int64] = []
        var length = 0
        for round in 0..<rounds {
            let time = SigningTime(secondsSince1970: 1_800_000_000 + Int64(round))
            let start = ContinuousClock.now
            for _ in 0..<urlsPerRound {
                length &+= try task.url(with: credentials, at: time, using: &presigner).bytes.count
            }
            let spent = (ContinuousClock.now - start).components
            times.append((spent.seconds * 1_000_000_000 + spent.attoseconds / 1_000_000_000) / Int64(urlsPerRound))
        }
        times.sort()
        let best = times[0]
        print("\(name): \(best) ns best, \(times[rounds / 2]) ns median; \(1_000_000_000 / best) URLs per second")
        precondition(length > 0)
    }
}
