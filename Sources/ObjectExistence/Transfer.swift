import CCurl
import Glibc
import HTTPClient
import System

/// A reusable libcurl easy handle with its lists. Used only by the driving thread.
@safe final class Transfer {
    /// libcurl's easy handle, owned by this object.
    let easy: UnsafeMutableRawPointer
    private let headerBytes: UnsafeMutablePointer<Int>
    private var resolveList: UnsafeMutablePointer<curl_slist>?
    /// The check in progress.
    var check: PendingCheck?

    init?() {
        // unsafe: this object owns the allocations and frees them in `deinit`.
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe self.easy = unsafe easy
        unsafe headerBytes = .allocate(capacity: 1)
        unsafe headerBytes.initialize(to: 0)
    }

    deinit {
        // unsafe: this object owns all of these, and no transfer uses them any more.
        unsafe curl_easy_cleanup(easy)
        unsafe curl_slist_free_all(resolveList)
        unsafe headerBytes.deallocate()
    }

    /// Sets the options for one HEAD request. libcurl copies strings, but not the list, which lives until the
    /// next `prepare`.
    ///
    /// - Parameter addresses: the addresses of the check's peer.
    /// - Returns: false if libcurl rejected an option. The transfer must then not start.
    func prepare(
        _ check: PendingCheck, at addresses: [PeerAddress], _ configuration: ExistenceConfiguration,
        remaining: Duration
    ) -> Bool {
        unsafe curl_easy_reset(easy)
        unsafe curl_slist_free_all(resolveList)
        unsafe resolveList = nil
        if let resolution = Self.resolution(of: check.peer, to: addresses) {
            guard let list = unsafe curl_slist_append(nil, resolution) else { return false }
            unsafe resolveList = unsafe list
        }
        let texts: [(CURLoption, String?)] = [
            (CURLOPT_URL, check.url), (CURLOPT_PROTOCOLS_STR, "http,https"), (CURLOPT_USERAGENT, "presign"),
            // An empty proxy means no proxy, and keeps libcurl from reading the environment.
            (CURLOPT_PROXY, configuration.proxy?.origin ?? ""),
            (CURLOPT_NOPROXY, configuration.proxy == nil ? "*" : ""),
            (CURLOPT_CAINFO, configuration.caFile),
        ]
        for case (let option, let text?) in texts where unsafe presign_set_text(easy, option, text) != CURLE_OK {
            return false
        }
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOBODY, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_NOSIGNAL, 1), (CURLOPT_PATH_AS_IS, 1),
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)), (CURLOPT_TCP_KEEPALIVE, 1),
            (CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.milliseconds),
            (CURLOPT_TIMEOUT_MS, remaining.milliseconds),
        ]
        for (option, number) in numbers where unsafe presign_set_long(easy, option, number) != CURLE_OK {
            return false
        }
        // unsafe: the pointers outlive the transfer, because the driver retains this object until the transfer ends.
        return unsafe presign_bound_headers(easy, headerBytes) == CURLE_OK
            && presign_set_list(easy, CURLOPT_RESOLVE, resolveList) == CURLE_OK
            && presign_set_pointer(easy, CURLOPT_PRIVATE, Unmanaged.passUnretained(self).toOpaque()) == CURLE_OK
    }

    /// Returns an entry for CURLOPT_RESOLVE, which saves libcurl the lookup; nil if the host is an IP address.
    private static func resolution(of peer: FetchURL, to addresses: [PeerAddress]) -> String? {
        guard case .name(let name) = peer.host else { return nil }
        let list = addresses.map { address in
            if case .ipv6 = address { "[\(address)]" } else { "\(address)" }
        }
        return "\(name):\(peer.port):\(list.joined(separator: ","))"
    }

    private var headers: ObjectHeaders {
        var headers = ObjectHeaders()
        headers.contentType = header("content-type")
        headers.entityTag = header("etag")
        headers.lastModified = header("last-modified")
        return headers
    }

    /// The value of the first header with this name in the response; nil without one.
    private func header(_ name: String) -> [UInt8]? {
        // unsafe: the text belongs to libcurl, ends in NUL, and is copied before the next transfer of this handle.
        guard let value = unsafe presign_header(easy, name) else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// Returns the outcome of the finished transfer.
    func outcome(_ result: CURLcode) -> ExistenceOutcome {
        switch result {
        case CURLE_OK:
            let status = unsafe presign_status(easy)
            guard status > 0 else { return .failed("the response has no status code") }
            let length = unsafe presign_length(easy)
            return .status(status, length: length >= 0 ? length : nil, headers: headers)
        case CURLE_OPERATION_TIMEDOUT: return .timedOut
        default:
            // unsafe: libcurl returns a static text for the error code, which does not contain the URL.
            return .failed(unsafe String(cString: curl_easy_strerror(result)))
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, at least 1, because 0 means no timeout to libcurl.
    package var milliseconds: Int {
        let parts = components
        return max(
            1, Int(parts.seconds) * 1000 + Int((parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
