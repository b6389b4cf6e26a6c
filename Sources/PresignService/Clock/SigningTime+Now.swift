import Presigning
import SystemInterface

extension SigningTime {
    /// The wall clock's time.
    static func now() -> SigningTime { SigningTime(secondsSince1970: WallClock.seconds()) }
}
