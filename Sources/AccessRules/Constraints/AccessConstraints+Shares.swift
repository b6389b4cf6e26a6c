package import Presigning
import Requests

extension AccessConstraints {
    /// Compares a request with the maximum lifetime of share links in seconds.
    func unmet(_ maximum: Int64?, by share: ShareRequest?) -> [UnmetConstraint] {
        guard let share, share.limited > maximum ?? 0 || maximum ?? 0 == 0 else { return [] }
        return [.share(share.limited, maximum: maximum ?? 0)]
    }

    /// The maximum lifetime in seconds of share links for an action; 0 if they are not allowed.
    package func shareLifetime(for action: AccessAction) -> Int64 {
        switch action {
        case .get: shareReads ?? 0
        case .write: shareWrites ?? 0
        case .list, .delete, .multipart: 0
        }
    }
}
