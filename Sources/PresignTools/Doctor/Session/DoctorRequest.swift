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

    private func changed(_ change: (inout DoctorRequest) -> Void) -> DoctorRequest {
        var changed = self
        change(&changed)
        return changed
    }

    /// Returns the request with another value of a header, or with an additional header.
    package func setting(_ name: String, _ value: String) -> DoctorRequest {
        removing(name).changed { $0.headers.append((name, value)) }
    }

    /// Returns the request without a header.
    package func removing(_ name: String) -> DoctorRequest {
        changed { $0.headers.removeAll { header in header.name == name } }
    }

    /// Returns the request with another method.
    package func sent(as method: FetchRequest.Method) -> DoctorRequest { changed { $0.method = method } }

    /// Returns the request with an additional parameter, which must be encoded.
    package func appending(parameter: String) -> DoctorRequest { changed { $0.url += "&\(parameter)" } }

    /// Returns the request with the key of another object of the run.
    package func redirected(to other: DoctorMark.Slot) -> DoctorRequest {
        let path = url.prefix { $0 != "?" }
        let folder = path.prefix(path.utf8.count - (slot?.rawValue.utf8.count ?? 0))
        return addressed(to: other).changed { $0.url = folder + other.rawValue + url[path.endIndex...] }
    }

    /// Returns the request with the query of another one, and thus with its signature.
    func signed(as other: DoctorRequest) -> DoctorRequest {
        changed { $0.url = address + other.url.drop { byte in byte != "?" } }
    }

    /// Returns the request as one for another object of the run, whose key its body has.
    func addressed(to slot: DoctorMark.Slot) -> DoctorRequest { changed { $0.slot = slot } }

    /// Returns the request with another last digit of the signature.
    package func withChangedSignature() -> DoctorRequest {
        // Nothing but `&x-id=...` could follow the signature, and presign adds no such parameter.
        guard let last = url.last, url.contains("X-Amz-Signature=") else { return self }
        return changed { $0.url = String(url.dropLast()) + (last == "0" ? "1" : "0") }
    }

    /// Returns the request without the query, and thus without a signature.
    package func withoutSignature() -> DoctorRequest {
        changed { ($0.url, $0.headers) = (address, []) }
    }

    /// The URL without its query.
    private var address: String { String(url.prefix { $0 != "?" }) }
}
