package import HTTPClient
import Presigning

/// A signed request that a check sends, possibly after it changed what the signature covers.
package struct DoctorRequest: Sendable {
    package var method: FetchRequest.Method
    package var url: String
    package var headers: [(name: String, value: String)]
    /// The object whose key the URL has; nil for the bucket.
    private(set) var slot: DoctorMark.Slot?

    init?(_ signed: PresignedURL, of slot: DoctorMark.Slot?) {
        guard let method = FetchRequest.Method(rawValue: signed.method) else { return nil }
        self.method = method
        url = signed.text
        // The client sends the length that its content has.
        headers = signed.headers.filter { $0.name != "content-length" }.map { ($0.name, $0.value) }
        self.slot = slot
    }

    /// Returns the request with another value of a header, or with an additional header.
    package func setting(_ name: String, _ value: String) -> DoctorRequest {
        var changed = removing(name)
        changed.headers.append((name, value))
        return changed
    }

    /// Returns the request without a header.
    package func removing(_ name: String) -> DoctorRequest {
        var changed = self
        changed.headers.removeAll { $0.name == name }
        return changed
    }

    /// Returns the request with another method.
    package func sent(as method: FetchRequest.Method) -> DoctorRequest {
        var changed = self
        changed.method = method
        return changed
    }

    /// Returns the request with an additional parameter, which must be encoded.
    package func appending(parameter: String) -> DoctorRequest {
        var changed = self
        changed.url += "&\(parameter)"
        return changed
    }

    /// Returns the request with the key of another object of the run.
    package func redirected(to other: DoctorMark.Slot) -> DoctorRequest {
        var changed = self
        let path = url.prefix { $0 != "?" }
        let folder = path.prefix(path.utf8.count - (slot?.rawValue.utf8.count ?? 0))
        changed.slot = other
        changed.url = folder + other.rawValue + url[path.endIndex...]
        return changed
    }

    /// Returns the request with the query of another one, and thus with its signature.
    func signed(as other: DoctorRequest) -> DoctorRequest {
        var changed = self
        changed.url = String(url.prefix { $0 != "?" }) + other.url.drop { $0 != "?" }
        return changed
    }

    /// Returns the request as one for another object of the run, whose key its body has.
    func addressed(to slot: DoctorMark.Slot) -> DoctorRequest {
        var changed = self
        changed.slot = slot
        return changed
    }

    /// Returns the request with another last digit of the signature.
    package func withChangedSignature() -> DoctorRequest {
        var changed = self
        let name = "X-Amz-Signature="
        // Nothing but `&x-id=...` could follow the signature, and presign adds no such parameter.
        guard let last = changed.url.last, changed.url.contains(name) else { return self }
        changed.url.removeLast()
        changed.url.append(last == "0" ? "1" : "0")
        return changed
    }

    /// Returns the request without the query, and thus without a signature.
    package func withoutSignature() -> DoctorRequest {
        var changed = self
        changed.url = String(url.prefix { $0 != "?" })
        changed.headers = []
        return changed
    }
}
