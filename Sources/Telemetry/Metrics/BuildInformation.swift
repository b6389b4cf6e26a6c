/// The versions of presign and of the compiler that built it.
package enum BuildInformation {
    /// The version of presign.
    package static let version = "1.0.0"

    /// The version of the Swift compiler, as precise as conditional compilation can tell.
    package static var swift: String {
        #if compiler(>=6.5)
            "6.5 or later"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "earlier than 6.3"
        #endif
    }
}
