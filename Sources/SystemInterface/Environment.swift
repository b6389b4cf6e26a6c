import Glibc

/// The process's environment.
public enum Environment {
    /// The value of `name`, nil when it is unset.
    public static func value(_ name: String) -> String? {
        // getenv's text is copied before anything could change it; the process never calls setenv.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}
