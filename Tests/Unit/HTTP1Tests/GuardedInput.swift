import Glibc

@testable import HTTP1

/// Memory that ends at an unmapped page, so reading one byte too many crashes the process. It owns the mapping, which
/// is accessed only within `parse`.
@safe
final class GuardedInput {
    private let pages: UnsafeMutableRawPointer
    private let size: Int
    private static let page = Int(getpagesize())

    /// Allocates space for inputs of up to `capacity` bytes.
    init?(capacity: Int) {
        size = (capacity + Self.page - 1) / Self.page * Self.page
        // Unmap the last page of the mapping; no other thread can map memory there in the meantime.
        guard
            let memory = unsafe mmap(
                nil, size + Self.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe memory != MAP_FAILED,
            unsafe mprotect(memory + size, Self.page, PROT_NONE) == 0
        else { return nil }
        unsafe pages = memory
    }

    // This object owns the mapping, and no pointer into it remains.
    deinit { unsafe munmap(pages, size + Self.page) }

    /// The results of a fresh parser for every prefix of `input`, each in a span that ends at the unmapped page.
    func parse(_ input: [UInt8], limits: HTTPLimits) -> [String] {
        (0...input.count).map { length in
            let start = size - length
            // `length` bytes from `start` on are readable, and no other code has the pointer.
            let bytes = unsafe UnsafeMutableBufferPointer(
                start: (pages + start).bindMemory(to: UInt8.self, capacity: length), count: length)
            for index in 0..<length { unsafe bytes[index] = input[index] }
            return unsafe verdict(UnsafeBufferPointer(bytes).span, limits)
        }
    }

    private func verdict(_ bytes: Span<UInt8>, _ limits: HTTPLimits) -> String {
        var parser = RequestParser()
        var fields = FieldTable()
        do {
            var step = try parser.advance(over: bytes, limits: limits, into: &fields)
            if step == .head {
                parser.message.bodyLimit = limits.bodyBytes
                step = try parser.advance(over: bytes, limits: limits, into: &fields)
            }
            return "\(step) \(parser.message.position)"
        } catch {
            return "\(error)"
        }
    }
}
