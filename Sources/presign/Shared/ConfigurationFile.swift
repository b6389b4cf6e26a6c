import DataFormats
import PresignService
import PresignTools
import ServiceRuntime
import System

/// Reads the configuration for a command. Each error becomes a line with file, line and column.
enum ConfigurationFile {
    /// Where the container image and the packages expect the configuration.
    static let standard = "/etc/presign/presign.yaml"

    static func read(_ path: String) throws(ProgramFailure) -> ServiceConfiguration {
        try read(path) { content throws(ConfigurationError) in try ServiceConfiguration(parsing: content, file: path) }
    }

    /// Reads the rules of a configuration, or of a file with rules only.
    static func rules(_ path: String) throws(ProgramFailure) -> PolicyFile {
        try read(path) { content throws(ConfigurationError) in try PolicyFile(parsing: content, file: path) }
    }

    private static func read<Content>(
        _ path: String, _ parse: ([UInt8]) throws(ConfigurationError) -> Content
    ) throws(ProgramFailure) -> Content {
        let content: [UInt8]
        do {
            content = try ReadableFile.contents(of: path)
        } catch {
            let hint =
                "; in a container, mount it there so that user 10001 can read it, or try presign without a bucket: "
                + "docker run --network host --tmpfs /tmp IMAGE serve --local /tmp/presign"
            throw ProgramFailure(.configuration, error.description + (path == standard ? hint : ""))
        }
        do {
            return try parse(content)
        } catch {
            let lines = error.mistakes.map(\.description)
            throw ProgramFailure(.configuration, lines[0], further: Array(lines.dropFirst()))
        }
    }
}
