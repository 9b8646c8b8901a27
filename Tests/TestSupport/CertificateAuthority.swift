internal import FileSystem
internal import Glibc

/// An authority that issues certificates by `openssl`, all in a directory that ends with it.
public final class CertificateAuthority: Sendable {
    private static let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

    private let directory: TemporaryDirectory

    /// The path of its own certificate.
    public var path: String { directory("ca.pem") }

    /// Makes the authority.
    public init(named name: String = "Test CA") throws {
        directory = try TemporaryDirectory()
        try openssl(["req", "-x509"] + Self.key + ["-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=\(name)"])
    }

    /// A certificate and its key.
    public struct Issued: Sendable {
        fileprivate let directory: TemporaryDirectory
        /// Its path, in PEM form.
        public let certificate: String
        /// The key's path.
        public let key: String
    }

    /// Issues a certificate.
    ///
    /// - Parameters:
    ///   - names: such as `DNS:localhost` and `IP:127.0.0.1`.
    ///   - days: below zero for one that has expired.
    public func issue(_ subject: String, names: String = "DNS:localhost,IP:127.0.0.1", days: Int = 3) throws -> Issued {
        let (certificate, key) = (directory("\(subject).pem"), directory("\(subject).key"))
        try openssl(["req", "-new"] + Self.key + ["-keyout", key, "-out", "request", "-subj", "/CN=\(subject)"])
        try Files.create(directory("extensions"), Array("subjectAltName=\(names)\n".utf8))
        defer { try? Files.remove(directory("extensions")) }
        try openssl(
            ["x509", "-req", "-in", "request", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"]
                + ["-extfile", "extensions", "-days", "\(days)", "-out", certificate])
        return Issued(directory: directory, certificate: certificate, key: key)
    }

    private func openssl(_ arguments: [String]) throws {
        let pid = try Spawn.start(
            "openssl", arguments, environment: ["PATH=/usr/local/bin:/usr/bin:/bin"], directory: directory.path,
            output: directory("output"), error: directory("error"))
        var status: Int32 = 0
        unsafe waitpid(pid, &status, 0)
        guard status == 0 else {
            throw NoCertificate(output: String(decoding: try Files.read(directory("error")), as: UTF8.self))
        }
    }
}

/// `openssl` has failed; carries its words.
public struct NoCertificate: Error {
    let output: String
}
