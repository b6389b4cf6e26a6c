import Glibc

/// What the process was started with: its arguments and its environment.
package enum Environment {
    /// The arguments after the program's name.
    package static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

    /// The user id that decides what the process may do (`geteuid`).
    package static var user: UInt32 { geteuid() }

    /// The value of `name`, nil when it is unset.
    package static func value(_ name: String) -> String? {
        // getenv's text is copied before anything could change it: see `remove`.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Takes `name` out of it. Only while the process has one thread: nothing keeps another from reading it meanwhile.
    package static func remove(_ name: String) {
        // The name is copied for the call; it holds no `=`, so the call cannot fail.
        _ = unsafe unsetenv(name)
    }
}
