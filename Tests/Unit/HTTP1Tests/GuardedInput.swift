import Glibc

@testable import HTTP1

/// Memory that ends where an unmapped page begins: reading one byte too many ends the process. It owns the mapping, and
/// uses it within `parse` only.
@safe
final class GuardedInput {
    private let pages: UnsafeMutableRawPointer
    private let size: Int
    private static let page = Int(getpagesize())

    /// Room for inputs of up to `capacity` bytes.
    init?(capacity: Int) {
        size = (capacity + Self.page - 1) / Self.page * Self.page
        // The last page of the mapping is taken away again; nothing else can be mapped there meanwhile.
        guard
            let memory = unsafe mmap(
                nil, size + Self.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe memory != MAP_FAILED,
            unsafe mprotect(memory + size, Self.page, PROT_NONE) == 0
        else { return nil }
        unsafe pages = memory
    }

    // The mapping is this object's, and nobody has a pointer into it any more.
    deinit { unsafe munmap(pages, size + Self.page) }

    /// What a fresh parser makes of the first message in `input`, seen through a span whose last byte is the last that
    /// can be read: with every prefix, so that every byte is the last once.
    func parse(_ input: [UInt8], limits: HTTPLimits) -> [String] {
        (0...input.count).map { length in
            let start = size - length
            // `length` bytes from `start` on are within the readable pages, and no one else has the pointer.
            let bytes = unsafe UnsafeMutableBufferPointer(
                start: (pages + start).bindMemory(to: UInt8.self, capacity: length), count: length)
            for index in 0..<length { unsafe bytes[index] = input[index] }
            return unsafe verdict(UnsafeBufferPointer(bytes).span, limits)
        }
    }

    private func verdict(_ bytes: Span<UInt8>, _ limits: HTTPLimits) -> String {
        var parser = RequestParser()
        do {
            var step = try parser.advance(over: bytes, limits: limits)
            if step == .head {
                parser.bodyLimit = limits.bodyBytes
                step = try parser.advance(over: bytes, limits: limits)
            }
            return "\(step) \(parser.position)"
        } catch {
            return "\(error)"
        }
    }
}
