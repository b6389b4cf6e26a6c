import Foundation

/// A certificate authority with its files in a folder, for tests: it issues, revokes, and lists what it has revoked.
package struct CertificateAuthority: Sendable {
    /// A certificate, what leads from it to the authority, and its key: paths of PEM files.
    package struct Issued: Sendable {
        /// The certificate; of an authority that is not the last, with those that lead to that.
        package let certificate: String
        /// Its private key.
        package let key: String
    }

    /// Whom a certificate may speak for.
    package enum Usage: String, Sendable { case serverAuth, clientAuth }

    private let folder: String
    /// Its own certificate.
    package var certificate: String { folder + "/authority.pem" }

    /// Makes an authority.
    ///
    /// - Parameter folder: where its files go; made by this.
    package init(named name: String, in folder: String) throws {
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write("", to: "index.txt")
        try write(Self.settings, to: "settings.cnf")
        try run(
            "req -x509 -config settings.cnf -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout authority.key",
            "-out authority.pem -days 30 -extensions authority -subj", last: "/CN=\(name)")
    }

    /// Issues a certificate.
    ///
    /// - Parameters:
    ///   - name: its common name, and its files' name.
    ///   - alternatives: as of `subjectAltName` in OpenSSL's settings; empty for none.
    ///   - validity: days from now.
    ///   - key: as of `openssl req -newkey`, with options.
    package func issue(
        _ name: String, alternatives: String = "", usage: Usage = .serverAuth, validity: ClosedRange<Double> = -1...2,
        key: String = "ec -pkeyopt ec_paramgen_curve:P-256"
    ) throws -> Issued {
        let names = alternatives.isEmpty ? "" : "subjectAltName=\(alternatives)\n"
        try write("extendedKeyUsage=\(usage.rawValue)\n\(names)", to: "\(name).ext")
        try run(
            "req -new -config settings.cnf -newkey \(key) -nodes -keyout \(name).key -out \(name).csr",
            "-subj /CN=\(name)")
        let (begins, ends) = (Self.time(validity.lowerBound), Self.time(validity.upperBound))
        try run(
            "ca -batch -notext -config settings.cnf -in \(name).csr -out \(name).pem -extfile \(name).ext",
            "-startdate \(begins) -enddate \(ends)")
        return Issued(certificate: "\(folder)/\(name).pem", key: "\(folder)/\(name).key")
    }

    /// Revokes one of its certificates; the next list says so.
    package func revoke(_ issued: Issued) throws {
        try run("ca -config settings.cnf -revoke", last: issued.certificate)
    }

    /// Writes a list of what is revoked, in force until so many days from now, and returns its path.
    package func revocationList(named name: String, validFor days: Double = 1) throws -> String {
        let (last, next) = (Self.time(-2), Self.time(days))
        try run("ca -config settings.cnf -gencrl -out \(name).crl -crl_lastupdate \(last) -crl_nextupdate \(next)")
        return "\(folder)/\(name).crl"
    }

    private func run(_ words: String..., last: String? = nil) throws {
        let arguments = words.joined(separator: " ").split(separator: " ").map(String.init)
        try OpenSSLCommand.run(arguments + (last.map { [$0] } ?? []), in: folder)
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    }

    private static func time(_ days: Double) -> String {
        let parts = Calendar(identifier: .gregorian).dateComponents(
            in: .gmt, from: Date(timeIntervalSinceNow: days * 86_400))
        let numbers = [parts.month, parts.day, parts.hour, parts.minute, parts.second]
        return "\(parts.year ?? 0)" + numbers.map { String(format: "%02d", $0 ?? 0) }.joined() + "Z"
    }

    private static let settings = """
        [ca]
        default_ca = this
        [this]
        database = index.txt
        new_certs_dir = .
        rand_serial = yes
        certificate = authority.pem
        private_key = authority.key
        default_md = sha256
        default_crl_days = 1
        policy = anything
        unique_subject = no
        [anything]
        commonName = supplied
        [req]
        distinguished_name = name
        [name]
        [authority]
        basicConstraints = critical, CA:TRUE
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash

        """
}
