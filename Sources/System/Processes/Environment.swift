import Glibc

/// The arguments, the user and the environment variables of the process.
package enum Environment {
    /// The arguments after the program's name.
    package static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

    /// The effective user id.
    package static var user: UInt32 { geteuid() }

    /// Returns the value of a variable; nil if it is not set.
    package static func value(_ name: String) -> String? {
        // unsafe: getenv's text is copied below, and `remove` runs only while the process has one thread.
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Removes a variable. Call this only while the process has one thread: the C library does not lock the
    /// environment.
    package static func remove(_ name: String) {
        // unsafe: the call reads a copy of the name, and cannot fail because the name does not contain `=`.
        _ = unsafe unsetenv(name)
    }
}
