import DataFormats
package import Logging
import Presigning
import System
import Text

/// Writes log events as one JSON object per line: `time`, `level`, `message` and the metadata. On a terminal, it writes
/// text.
package struct JSONLinesLogHandler: LogHandler {
    /// The metadata of every line of this logger.
    package var metadata: Logger.Metadata = [:]
    /// The lowest level that is written.
    package var logLevel: Logger.Level
    private let sink: LogSink

    /// Returns a logger that writes to `sink`.
    ///
    /// - Parameter level: the lowest level that is written, one of `LogConfiguration.levels`.
    package static func logger(level: String, sink: LogSink) -> Logger {
        Logger(label: "presign") { _ in
            JSONLinesLogHandler(logLevel: Logger.Level(rawValue: level) ?? .info, sink: sink)
        }
    }

    private init(logLevel: Logger.Level, sink: LogSink) {
        self.logLevel = logLevel
        self.sink = sink
    }

    /// A value in the metadata of every line.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a line. Never blocks on the writer.
    package func log(event: LogEvent) {
        let time = SigningTime(secondsSince1970: WallClock.seconds()).rfc3339Text
        let all = metadata.merging(event.metadata ?? [:]) { _, own in own }.sorted { $0.key < $1.key }
        let line = sink.isTerminal ? text(of: event, all, at: time) : json(of: event, all, at: time)
        sink.append(line.span)
    }

    private func json(of event: LogEvent, _ metadata: [(key: String, value: Logger.MetadataValue)], at time: String)
        -> [UInt8]
    {
        var line = ByteBuffer()
        line.appendObject { json in
            json.member("time", time)
            json.member("level", event.level.rawValue)
            json.member("message", "\(event.message)")
            for (name, value) in metadata { json.member(named: name.utf8.span, "\(value)".utf8.span) }
        }
        line.append("\n")
        return line.bytes
    }

    /// Returns text such as `12:03:04Z notice listening (address 127.0.0.1:8080)`. It omits `event`, which is for
    /// programs.
    private func text(of event: LogEvent, _ metadata: [(key: String, value: Logger.MetadataValue)], at time: String)
        -> [UInt8]
    {
        let details = metadata.filter { $0.key != "event" }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let text = "\(event.level.rawValue) \(event.message)" + (details.isEmpty ? "" : " (\(details))")
        var line = ByteBuffer()
        line.append(timeOfDay: time.utf8.span)
        line.append(" ")
        line.append(visible: Array(text.utf8)[...])
        line.append("\n")
        return line.bytes
    }
}
