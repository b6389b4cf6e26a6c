package import System

extension MetricsText {
    /// Appends the standard process metrics (Prometheus, "Writing client libraries"). Omits unknown values.
    package mutating func appendProcess(_ usage: ProcessUsage) {
        begin("process_cpu_seconds_total", .counter, "Total user and system CPU time spent in seconds.")
        add(nanoseconds: usage.processorNanoseconds)
        if let memory = usage.memory {
            begin("process_resident_memory_bytes", .gauge, "Resident memory size in bytes.")
            add(memory.resident)
            begin("process_virtual_memory_bytes", .gauge, "Virtual memory size in bytes.")
            add(memory.mapped)
        }
        if let count = usage.openDescriptors {
            begin("process_open_fds", .gauge, "Number of open file descriptors.")
            add(count)
        }
        if let limit = usage.mostDescriptors {
            begin("process_max_fds", .gauge, "Maximum number of open file descriptors.")
            add(limit)
        }
        if let start = usage.start {
            begin("process_start_time_seconds", .gauge, "Start time of the process in seconds since the Unix epoch.")
            add(nanoseconds: start)
        }
    }
}
