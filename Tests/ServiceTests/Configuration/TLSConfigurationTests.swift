import Configuration
import FileSystem
import Logging
import TestSupport
import Testing

@testable import Service

@Suite struct TLSConfigurationTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func tls(_ section: String) throws -> TLSConfiguration? {
        try ServiceSettings.loaded(makeConfiguration("http: { \(section) }")).service.http.tls
    }

    @Test(arguments: ["", "tls: off", "tls: \"off\"", "listen: 127.0.0.1:0"])
    func `TLS is off unless a certificate is given`(section: String) throws {
        #expect(try tls(section) == nil)
    }

    @Test(arguments: ["1.2", "\"1.3\""])
    func `a certificate and its key are read, and both spellings of a version`(version: String) throws {
        let first = TestCertificate.first
        let section = "certificate: \"\(first.path)\", key: \"\(first.keyPath)\", minimum_version: \(version)"
        let tls = try #require(try tls("tls: { \(section) }"))
        #expect(tls.metadata == ["certificate_until": "2120-01-01"])
    }

    @Test(arguments: [
        ("tls: on", "14: error: \"tls\": expected off or mapping, found \"on\""),
        ("tls: [off]", "14: error: \"tls\": expected off or mapping, found list"),
        ("tls:", "14: error: \"tls\": expected off or mapping, found nothing"),
    ])
    func `a value that is no section is one line`(section: String, line: String) {
        #expect(problems(makeConfiguration("http: { \(section) }")) == ["c.yaml:1:\(line)"])
    }

    @Test func `unknown keys, missing keys and unknown versions are reported`() {
        #expect(
            problems(makeConfiguration("http: { tls: { kye: a, minimum_version: \"1.1\" } }")) == [
                "c.yaml:1:14: error: missing \"certificate\" in \"http.tls\"",
                "c.yaml:1:14: error: missing \"key\" in \"http.tls\"",
                "c.yaml:1:16: error: unknown key \"kye\" in \"http.tls\"; did you mean \"key\"?",
                "c.yaml:1:41: error: \"minimum_version\": expected 1.2 or 1.3, found \"1.1\"; did you mean \"1.2\"?",
            ])
    }

    @Test func `each unreadable file is reported at its place`() throws {
        try Files.create(directory("empty.pem"), [])
        let empty = directory("empty.pem")
        #expect(
            problems(makeConfiguration("http:\n  tls:\n    certificate: /no/such.pem\n    key: \"\(empty)\"")) == [
                "c.yaml:3:18: error: \"certificate\": cannot read \"/no/such.pem\": no such file",
                "c.yaml:4:10: error: \"key\": \"\(empty)\" is empty",
            ])
    }

    @Test func `an unusable certificate or key is reported at its place with the reason`() {
        let first = TestCertificate.first
        #expect(pair(first.path, TestCertificate.second.keyPath) == "4:10|key|the private key is not the certificate's")
        #expect(
            pair(first.path, TestCertificate.encryptedKeyPath)
                == "4:10|key|the private key is encrypted, and a service cannot prompt for a passphrase")
        #expect(
            pair(first.keyPath, first.keyPath)
                == "3:18|certificate|no certificate in PEM form (no start line)")
        let weak = TestCertificate.weak
        #expect(pair(weak.path, weak.keyPath) == "3:18|certificate|the certificate is too weak (ee key too small)")
    }

    /// The one problem of a pair of files, in short.
    private func pair(_ certificate: String, _ key: String) -> String {
        let found = problems(makeConfiguration("http:\n  tls:\n    certificate: \(certificate)\n    key: \(key)"))
        let short = [("certificate", certificate), ("key", key)].reduce(found.joined(separator: "\n")) { text, file in
            text.replacing(" error: \"\(file.0)\": \"\(file.1)\" cannot be used: ", with: "|\(file.0)|")
        }
        return short.replacing("c.yaml:", with: "").replacing(":|", with: "|")
    }

    @Test func `a certificate outside its validity is a warning`() {
        let expired = problems(makeConfiguration("http: { \(TestCertificate.expired.section) }"))
        #expect(expired == ["c.yaml:1:29: warning: the certificate has expired on 2021-01-01"])
        let future = problems(makeConfiguration("http: { \(TestCertificate.future.section) }"))
        #expect(future == ["c.yaml:1:29: warning: the certificate is not valid before 2100-01-01"])
    }
}
