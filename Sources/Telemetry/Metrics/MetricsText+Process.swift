package import System

extension MetricsText {
    /// What the system says of the process, by the names that all client libraries use (Prometheus, "Writing client
    /// libraries", process metrics). What it does not say is left out.
    package mutating func appendProcess(_ usage: ProcessUsage) {
        begin("process_cpu_seconds_total", .counter, "Processor time of the process, user and system, in seconds.")
        add(nanoseconds: usage.processorNanoseconds)
        if let memory = usage.memory {
            begin("process_resident_memory_bytes", .gauge, "Memory that is resident, in bytes.")
            add(memory.resident)
            begin("process_virtual_memory_bytes", .gauge, "Memory that is mapped, in bytes.")
            add(memory.mapped)
        }
        if let count = usage.openDescriptors {
            begin("process_open_fds", .gauge, "Open file descriptors.")
            add(count)
        }
        if let limit = usage.mostDescriptors {
            begin("process_max_fds", .gauge, "The most file descriptors that may be open.")
            add(limit)
        }
        if let start = usage.start {
            begin("process_start_time_seconds", .gauge, "When the process started, in seconds since 1970.")
            add(nanoseconds: start)
        }
    }
}
