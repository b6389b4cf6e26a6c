package import Presigning
import System

extension SigningTime {
    /// Returns the current time of the wall clock.
    package static func now() -> SigningTime { SigningTime(secondsSince1970: WallClock.seconds()) }
}
