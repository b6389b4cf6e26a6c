import Presigning
import System

/// Signs the lines of standard input in the wire format of the signing vectors: one line each of `{"id","url"}` or
/// `{"id","error"}`.
@main
struct SigningVectors {
    static func main() {
        var signer = VectorSigner()
        while let line = readLine() {
            let bytes = Array(line.utf8)
            if bytes.isEmpty { continue }
            let time = SigningTime(secondsSince1970: WallClock.seconds())
            print(String(decoding: signer.response(to: bytes[...], at: time), as: UTF8.self), terminator: "")
        }
    }
}
