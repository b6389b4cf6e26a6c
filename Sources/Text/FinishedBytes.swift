/// The bytes of an array or of a finished buffer. Copies share them.
public struct FinishedBytes: @unchecked Sendable {
    // Sendable, because nothing changes the memory of a finished buffer.
    private enum Storage {
        case array([UInt8])
        case buffer(ByteMemory, count: Int)
    }

    private let storage: Storage

    /// The bytes of an array.
    public init(_ array: [UInt8]) { storage = .array(array) }

    /// The first bytes of the memory of a finished buffer, which are initialized.
    init(_ memory: ByteMemory?, count: Int) { storage = memory.map { .buffer($0, count: count) } ?? .array([]) }

    /// The number of bytes.
    public var count: Int {
        switch storage {
        case .array(let array): array.count
        case .buffer(_, let count): count
        }
    }

    /// The bytes as an array; a copy if they are those of a buffer.
    public var array: [UInt8] {
        switch storage {
        case .array(let array): array
        case .buffer: withSpan { [UInt8](copying: $0) }
        }
    }

    /// Calls a closure with the bytes and returns its result.
    public func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        switch storage {
        case .array(let array): body(array.span)
        case .buffer(let memory, let count): memory.withBytes(0..<count, body)
        }
    }
}
