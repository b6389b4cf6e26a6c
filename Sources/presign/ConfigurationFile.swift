import PresignService
import SystemInterface

/// Reads the configuration for a command; every mistake becomes one line with file, line and column.
enum ConfigurationFile {
    static func read(_ path: String) throws(CommandFailure) -> ServiceConfiguration {
        let content: [UInt8]
        do {
            content = try ReadableFile.contents(of: path)
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
        do {
            return try ServiceConfiguration(parsing: content, file: path)
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }
}
