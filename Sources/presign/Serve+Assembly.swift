import CryptoHashing
import HTTPServing
import ObjectExistence
import PresignService
import SystemInterface

extension Serve {
    /// What sends the HEAD of validateObjectExistence.
    static func existenceChecker(
        _ configuration: ExistenceConfiguration
    ) throws(CommandFailure) -> ObjectExistenceChecker {
        if let file = configuration.caFile {
            do {
                _ = try ReadableFile.contents(of: file)
            } catch {
                throw CommandFailure(.configuration, "existence.caFile: \(error)")
            }
        }
        var limits = ObjectExistenceConfiguration()
        limits.maximumInFlight = configuration.maximumInFlight
        limits.maximumQueued = configuration.maximumQueued
        limits.connectTimeout = configuration.connectTimeout
        limits.totalTimeout = configuration.timeout
        limits.proxy = configuration.proxy
        limits.certificateAuthorityFile = configuration.caFile
        return ObjectExistenceChecker(limits)
    }

    /// The service itself, with credentials and clock.
    static func service(
        _ configuration: ServiceConfiguration, checker: ObjectExistenceChecker, requests: LogSink
    ) throws(CommandFailure) -> Service {
        let start: String
        do {
            start = Hexadecimal.encode(try SecureRandom.bytes(count: 8))
        } catch {
            throw CommandFailure(.system, error.description)
        }
        do {
            return try Service(
                configuration, environment: { Environment.value($0) },
                existence: ExistenceCheck { url, completion in
                    checker.head(url: url, headers: []) { completion(Self.outcome($0)) }
                },
                requestLog: configuration.log.requests ? requests : nil, requestIDStart: start)
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }

    private static func outcome(_ outcome: ObjectExistenceOutcome) -> ExistenceOutcome {
        switch outcome {
        case .status(let status): .status(status)
        case .timedOut: .timedOut
        case .failed(let reason): .failed(reason)
        case .overloaded: .overloaded
        }
    }
}
