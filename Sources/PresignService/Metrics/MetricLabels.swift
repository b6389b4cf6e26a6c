import Presigning
import Telemetry

/// The operations that URLs are signed for.
enum OperationLabel: Int, MetricLabel {
    case getObject, putObject, headObject, deleteObject, createMultipartUpload, uploadPart, completeMultipartUpload
    case abortMultipartUpload, listParts, listObjectsV2

    init(_ operation: AWSS3SigningOperation) {
        self =
            switch operation {
            case .getObject: .getObject
            case .putObject: .putObject
            case .headObject: .headObject
            case .deleteObject: .deleteObject
            case .createMultipartUpload: .createMultipartUpload
            case .uploadPart: .uploadPart
            case .completeMultipartUpload: .completeMultipartUpload
            case .abortMultipartUpload: .abortMultipartUpload
            case .listParts: .listParts
            case .listObjectsV2: .listObjectsV2
            }
    }

    /// The operation's name in the Amazon S3 API Reference: the case name, capitalized.
    var text: String {
        let name = "\(self)"
        return name.prefix(1).uppercased() + name.dropFirst()
    }
}

/// The outcomes of existence checks.
enum ExistenceLabel: Int, MetricLabel {
    case found, missing, denied, unexpected, unreachable, timeout, overloaded

    init(_ outcome: ExistenceOutcome) {
        self =
            switch outcome {
            case .status(200..<300): .found
            case .status(404): .missing
            case .status(403): .denied
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
