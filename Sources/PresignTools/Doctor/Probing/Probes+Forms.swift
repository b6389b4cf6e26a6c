import AccessRules
import PresignService
import Presigning

extension Guarantee {
    static let form = Guarantee("form", "an HTML form stores an object", .none, noForms)
    static let formSize = Guarantee(
        "form-size", "a form with a file of another size than its policy allows is refused", .forms, noForms)
    static let formField = Guarantee(
        "form-field", "a form with a changed key, type or checksum is refused", .forms, noForms)

    private static let noForms = "set `forms: false` for the store, so that presign refuses forms by name"
}

extension Guarantee.Reliant {
    fileprivate static let forms = limit(.init(.write), "maxSize, which lets callers get forms") {
        $0.maximumSize != nil && $0.overwrite != false
    }.if { $1.offersForms }
}

/// HTML forms.
extension Probe {
    static let forms: [Probe] = [
        .writing(
            .form,
            judge: { replies in
                guard let first = replies.first, first.isSuccess else { return replies.only(Verdict.success) }
                return replies.last?.content == .second
                    ? .enforced(first.summary) : .notEnforced("the object has other content")
            }
        ) { session throws(DoctorStop) in
            let form = try session.signedForm(for: session.mark.bytes(.second))
            return try [session.send(form, session.mark.bytes(.second)), session.get(.target)]
        },
        .writing(.formSize, needs: [.form]) { session throws(DoctorStop) in
            let body = session.mark.bytes(.first)
            let form = try session.signedForm(for: nil)
            return try [session.send(form, body), session.send(form, body + DoctorMark.surplus)]
        },
        .writing(.formField, needs: [.form]) { session throws(DoctorStop) in
            let (body, other) = (session.mark.bytes(.first), session.mark.bytes(.second))
            let form = try session.signedForm(for: body)
            var replies = try [
                session.send(form, body), session.send(form.setting("Content-Type", "text/html"), body),
            ]
            replies.append(try session.send(form.redirected(to: .elsewhere, in: session), body))
            replies.append(try session.send(form, other))
            replies.append(
                try session.send(form.setting(checksumName, checksum(of: other).value), other))
            return replies
        },
    ]
}

/// A signed form that a check sends, possibly after it changed a field.
private struct DoctorForm {
    let request: DoctorRequest
    var fields: [(name: String, value: String)]

    /// Returns the form with another value of a field.
    func setting(_ name: String, _ value: String) -> DoctorForm {
        DoctorForm(request: request, fields: fields.map { $0.name == name ? (name, value) : $0 })
    }

    /// Returns the form with the key of another object of the run.
    func redirected(to slot: DoctorMark.Slot, in session: DoctorSession) -> DoctorForm {
        let key = String(decoding: session.mark.key(of: slot, below: session.prefix), as: UTF8.self)
        return DoctorForm(request: request.addressed(to: slot), fields: setting("key", key).fields)
    }

    /// The fields and the file as `multipart/form-data` (RFC 7578).
    func body(file: [UInt8], boundary: String) -> [UInt8] {
        let start = "--\(boundary)\r\nContent-Disposition: form-data; name="
        let fields = fields.map { "\(start)\"\($0.name)\"\r\n\r\n\($0.value)\r\n" }.joined()
        let head = "\(start)\"file\"; filename=\"doctor\"\r\nContent-Type: text/plain\r\n\r\n"
        return Array((fields + head).utf8) + file + Array("\r\n--\(boundary)--\r\n".utf8)
    }
}

extension DoctorSession {
    /// Signs a form for the target, for a file of the size that all contents have.
    ///
    /// - Parameter content: the content whose checksum is signed; nil for none.
    fileprivate mutating func signedForm(for content: [UInt8]?) throws(DoctorStop) -> DoctorForm {
        let size = Int64(mark.bytes(.first).count)
        let checksum = content.map { [Probe.checksum(of: $0)] } ?? []
        let policy = PostPolicy(
            key: StoragePath(bytes: mark.key(of: .target, below: prefix)), in: store.bucket, expiresIn: 300,
            contentLength: size...size, fields: [("Content-Type", "text/plain")] + checksum)
        let form = try signedForm(policy)
        guard let request = DoctorRequest(form.action, of: .target) else { throw .unmet("the method is not supported") }
        return DoctorForm(request: request, fields: form.fields.map { ($0.name, $0.value) })
    }

    /// Sends a form with a file.
    fileprivate mutating func send(_ form: DoctorForm, _ file: [UInt8]) throws(DoctorStop) -> Reply {
        let type = "multipart/form-data; boundary=\(mark.run)"
        return try send(form.request.setting("content-type", type), form.body(file: file, boundary: mark.run))
    }
}
