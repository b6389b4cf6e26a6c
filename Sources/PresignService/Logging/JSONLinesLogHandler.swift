package import Logging
import Presigning
import SystemInterface

/// Diagnostics as one JSON object a line: `time`, `level`, `message`, and the metadata.
package struct JSONLinesLogHandler: LogHandler {
    /// Members of every line of this logger.
    package var metadata: Logger.Metadata = [:]
    /// The least level written.
    package var logLevel: Logger.Level
    private let sink: LogSink

    /// A logger that writes to `sink`.
    ///
    /// - Parameter level: the least level written; one of `LogConfiguration.levels`.
    package static func logger(level: String, sink: LogSink) -> Logger {
        Logger(label: "presign") { _ in
            JSONLinesLogHandler(logLevel: Logger.Level(rawValue: level) ?? .info, sink: sink)
        }
    }

    private init(logLevel: Logger.Level, sink: LogSink) {
        self.logLevel = logLevel
        self.sink = sink
    }

    /// One of the members of every line.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line; returns at once.
    package func log(event: LogEvent) {
        var line = Array(#"{"time":""#.utf8)
        line.append(contentsOf: SigningTime(secondsSince1970: WallClock.seconds()).rfc3339Text.utf8)
        line.append(contentsOf: #"","level":"#.utf8)
        line.appendJSON(string: event.level.rawValue)
        line.appendMember("message", "\(event.message)")
        let all = metadata.merging(event.metadata ?? [:]) { _, own in own }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            line.append(UInt8(ascii: ","))
            line.appendJSON(string: name)
            line.append(UInt8(ascii: ":"))
            line.appendJSON(string: "\(value)")
        }
        line.append(contentsOf: "}\n".utf8)
        sink.append(line.span)
    }
}
