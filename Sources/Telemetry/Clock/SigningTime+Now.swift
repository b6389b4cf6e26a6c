package import Presigning
import System

extension SigningTime {
    /// The wall clock's time.
    package static func now() -> SigningTime { SigningTime(secondsSince1970: WallClock.seconds()) }
}
