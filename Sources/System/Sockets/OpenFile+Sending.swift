extension OpenFile {
    /// Reads at most `count` bytes into the beginning of `buffer`.
    package func read(from position: Int, into buffer: inout [UInt8], count: Int) -> Socket.Outcome {
        Socket.read(descriptor, from: position, into: &buffer, count: count)
    }

    /// Sends as many bytes to a non-blocking socket as it takes.
    package func send(to socket: Int32, from position: Int, count: Int) -> Socket.Outcome {
        Socket.send(socket, file: descriptor, from: position, count: count)
    }
}
