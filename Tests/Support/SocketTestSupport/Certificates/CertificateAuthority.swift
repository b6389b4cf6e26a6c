import Foundation

/// A certificate authority for tests, with its files in a folder. It issues and revokes certificates and writes CRLs.
package struct CertificateAuthority: Sendable {
    /// A certificate with its chain and its key, as paths of PEM files.
    package struct Issued: Sendable {
        /// The certificate, followed by any intermediate certificates.
        package let certificate: String
        /// Its private key.
        package let key: String
    }

    /// The extended key usage of a certificate.
    package enum Usage: String, Sendable { case serverAuth, clientAuth }

    private let folder: String
    /// Its own certificate.
    package var certificate: String { folder + "/authority.pem" }

    /// Creates an authority.
    ///
    /// - Parameter folder: The folder for its files, which is created.
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
    ///   - name: The common name, which also names the files.
    ///   - alternatives: The names, as for `subjectAltName` in OpenSSL's configuration; empty for none.
    ///   - validity: The period of validity, in days from now.
    ///   - key: The type of key, as for `openssl req -newkey`, with options.
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

    /// Revokes one of its certificates, which the next CRL lists.
    package func revoke(_ issued: Issued) throws {
        try run("ca -config settings.cnf -revoke", last: issued.certificate)
    }

    /// Writes a CRL that is valid for this many days and returns its path.
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
