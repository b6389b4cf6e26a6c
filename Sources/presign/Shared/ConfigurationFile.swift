import ConfigurationReading
import HTTPServer
import PresignService
import PresignTools
import System

/// Reads the configuration for a command. Each error becomes a line with file, line and column.
enum ConfigurationFile {
    static func read(_ path: String) throws(CommandFailure) -> ServiceConfiguration {
        try read(path) { content throws(ConfigurationError) in try ServiceConfiguration(parsing: content, file: path) }
    }

    /// Reads the rules of a configuration, or of a file with rules only.
    static func rules(_ path: String) throws(CommandFailure) -> PolicyFile {
        try read(path) { content throws(ConfigurationError) in try PolicyFile(parsing: content, file: path) }
    }

    private static func read<Content>(
        _ path: String, _ parse: ([UInt8]) throws(ConfigurationError) -> Content
    ) throws(CommandFailure) -> Content {
        let content = try reporting(errorsAs: .configuration) { try ReadableFile.contents(of: path) }
        do {
            return try parse(content)
        } catch {
            let lines = error.mistakes.map(\.description)
            throw CommandFailure(.configuration, lines[0], further: Array(lines.dropFirst()))
        }
    }
}
