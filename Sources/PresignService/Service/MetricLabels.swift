import ObjectExistence
package import Presigning
import Telemetry

extension AWSS3SigningOperation.Kind: MetricLabel {
    /// The operation's name in the Amazon S3 API Reference.
    package var text: String { name.prefix(1).uppercased() + name.dropFirst() }
}

/// The outcomes of existence checks.
enum ExistenceLabel: Int, MetricLabel {
    case found, missing, denied, unexpected, unreachable, timeout, overloaded

    init(_ outcome: ExistenceOutcome) {
        self =
            switch outcome {
            case .status(200..<300, _): .found
            case .status(404, _): .missing
            case .status(403, _): .denied
            case .status: .unexpected
            case .failed: .unreachable
            case .timedOut: .timeout
            case .overloaded: .overloaded
            }
    }
}

extension Route: MetricLabel {
    var text: String {
        switch self {
        case .presign: "/presign"
        case .batch: "/presign/batch"
        case .link: "/o/{path}"
        case .share: "/s/{token}"
        case .lfs: "/lfs/{repository}/objects/batch"
        case .lfsLocks: "/lfs/{repository}/locks"
        case .permissions: "/permissions"
        case .page: "page"
        case .healthz: "/healthz"
        case .readyz: "/readyz"
        case .metrics: "/metrics"
        case .openAPI: "/openapi.yaml"
        case .asterisk: "*"
        case .other: "other"
        }
    }
}
