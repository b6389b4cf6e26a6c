import CSystem
import Glibc

/// What the process was started with: its arguments and its environment.
public enum Environment {
    /// What follows the program's name, as the loader tells; the standard library reads `/proc`, which a container or a
    /// jail may lack, and would say that there are none.
    public static var arguments: [String] {
        (0..<presignArgumentCount()).dropFirst().compactMap { index in
            // The words are the process's own, and stay.
            guard let word = unsafe presignArgument(index) else { return nil }
            return unsafe String(cString: word)
        }
    }

    /// The value of `name`, nil when it is unset.
    public static func value(_ name: String) -> String? {
        // getenv's text is copied before anything could change it: see `remove`.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Takes `name` out of it. Only while the process has one thread: nothing keeps another from reading it meanwhile.
    static func remove(_ name: String) {
        // The name is copied for the call; it holds no `=`, so the call cannot fail.
        _ = unsafe unsetenv(name)
    }
}
