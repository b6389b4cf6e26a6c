import CallerAuthentication
import HTTPServer
import Presigning
import Refreshing
import StorageCredentials
import System
import Telemetry

extension Service {
    /// Passes the metrics to `receiver` on another thread.
    func reportMetrics(to receiver: @escaping @Sendable ([UInt8]) -> Void) {
        reporter.report(metricsText, to: receiver)
    }

    /// Returns the current metrics in the Prometheus text format.
    func metricsText() -> [UInt8] {
        var text = MetricsText()
        let counts = metrics.counts
        counts.appendRequests(to: &text)
        counts.appendDecisions(to: &text)
        appendExistence(to: &text)
        appendServer(counts, to: &text)
        appendCredentials(to: &text)
        appendIssuerKeys(to: &text)
        appendReloads(to: &text)
        appendLogs(to: &text)
        text.appendProcess(.current())
        return text.bytes
    }

    private func appendExistence(to text: inout MetricsText) {
        text.begin(
            "presign_existence_checks_total", .counter,
            "HEAD requests to the storage for validateObjectExistence, by outcome.")
        let checks = metrics.existence.counts
        text.add(checks.outcomes, by: "outcome")
        text.begin(
            "presign_existence_check_duration_seconds", .histogram,
            "Time from requesting an existence check to its outcome, queueing included.")
        text.add(checks.durations)
    }

    private func appendServer(_ counts: ServiceCounts, to text: inout MetricsText) {
        text.begin(
            "presign_http_requests_in_flight", .gauge,
            "Batches, and requests waiting for an existence check; all other requests complete at once.")
        text.add(counts.waiting)
        if let server = metrics.observedServer {
            text.begin("presign_http_connections", .gauge, "Open connections.")
            text.add(server.connections)
            text.begin("presign_http_connections_accepted_total", .counter, "Connections accepted.")
            text.add(server.acceptedConnections)
            text.begin(
                "presign_http_buffered_bytes", .gauge,
                "Memory held for requests and responses, limited by server.limits.bufferedBytes.")
            text.add(server.buffers.used)
            text.begin(
                "presign_http_shed_total", .counter,
                "Requests and connections refused with 503 under load; no other metric counts them.")
            text.add(server.refusals)
            text.begin(
                "presign_http_discarded_bytes_total", .counter,
                "Bytes of bodies received after their response, such as an upload sent without Expect to /o/ or /s/.")
            text.add(server.discardedBytes)
        }
        text.begin(
            "presign_ready", .gauge,
            "1 if /readyz responds 200: not starting, not stopping, and a store has usable credentials.")
        text.add(isReady(currentSnapshot().0, at: time()) ? 1 : 0)
        text.begin("presign_build_info", .gauge, "The versions of presign and of the Swift compiler; always 1.")
        text.add(1, [("version", BuildInformation.version), ("swift", BuildInformation.swift)])
    }

    private func appendReloads(to text: inout MetricsText) {
        let state = metrics.reloads
        text.begin(
            "presign_config_reloads_total", .counter,
            "Configuration reloads after the start, by outcome.")
        text.add(state.succeeded, [("outcome", "success")])
        text.add(state.failed, [("outcome", "failure")])
        text.begin(
            "presign_config_last_reload_successful", .gauge, "0 if the last configuration reload failed, else 1.")
        text.add(state.hasFailed ? 0 : 1)
        text.begin(
            "presign_config_last_reload_success_timestamp_seconds", .gauge,
            "When a configuration was last loaded, at start or by a reload; seconds since 1970.")
        text.add(Int(state.last))
    }

    private func appendLogs(to text: inout MetricsText) {
        if let audit {
            let lines = audit.lines
            text.begin("presign_audit_lines_total", .counter, "Audit lines accepted for writing.")
            text.add(lines.taken)
            text.begin(
                "presign_audit_lines_dropped_total", .counter,
                "Audit lines lost because the output was too slow or failed.")
            text.add(lines.dropped)
        }
        text.begin(
            "presign_log_lines_dropped_total", .counter,
            "Log lines lost because the output was too slow or failed.")
        if let requestLog { text.add(requestLog.lines.dropped, [("log", "requests")]) }
        if let diagnostics = metrics.observedDiagnostics {
            text.add(diagnostics.lines.dropped, [("log", "diagnostics")])
        }
    }
}

extension Service {
    /// Uses the wall clock, as signing and credential expiry do.
    private func appendCredentials(to text: inout MetricsText) {
        let now = time()
        let all = credentials
        let ends = all.compactMap { store, role, refresh in
            refresh.latest?.expiration.map { (Self.labels(store, role), $0) }
        }
        if !ends.isEmpty {
            text.begin(
                "presign_credentials_remaining_seconds", .gauge,
                "Seconds until a store's credentials expire, by role; absent for credentials that do not expire.")
            for (labels, end) in ends { text.add(Int(now.seconds(until: end)), labels) }
        }
        let successes = all.compactMap { store, role, refresh in
            refresh.lastSuccess.map { (Self.labels(store, role), $0) }
        }
        if !successes.isEmpty {
            text.begin(
                "presign_credentials_last_success_timestamp_seconds", .gauge,
                "When a store's credentials were last read or fetched successfully, by role; seconds since 1970.")
            for (labels, time) in successes { text.add(Int(time.secondsSince1970), labels) }
        }
        text.begin(
            "presign_credentials_failures_total", .counter,
            "Failed attempts to read or fetch a store's credentials, by role.")
        for (store, role, refresh) in all { text.add(refresh.failures, Self.labels(store, role)) }
    }

    private func appendIssuerKeys(to text: inout MetricsText) {
        let all = currentSnapshot().0.authenticator.fetchedKeys
        guard !all.isEmpty else { return }
        text.begin(
            "presign_issuer_keys", .gauge, "Keys in use of an issuer whose keys are fetched; 0 if its tokens get 503.")
        for (issuer, keys) in all { text.add(keys.value?.keyIDs.count ?? 0, [("issuer", issuer)]) }
        text.begin(
            "presign_issuer_keys_age_seconds", .gauge,
            "Seconds since an issuer's keys were last fetched successfully; absent without keys.")
        for (issuer, keys) in all where keys.value != nil {
            if let age = keys.age { text.add(age, [("issuer", issuer)]) }
        }
        text.begin("presign_issuer_keys_failures_total", .counter, "Failed attempts to fetch an issuer's keys.")
        for (issuer, keys) in all { text.add(keys.failures, [("issuer", issuer)]) }
    }

    private static func labels(_ store: String, _ role: CredentialRole) -> [MetricsText.Label] {
        [("store", store), ("role", role.rawValue)]
    }
}
