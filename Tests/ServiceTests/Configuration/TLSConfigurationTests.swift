import Configuration
import FileSystem
import Logging
import TestSupport
import Testing

@testable import Service

@Suite("The config of TLS")
struct TLSConfigurationTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func tls(_ section: String) throws -> TLSConfiguration? {
        try ServiceSettings.loaded(makeConfiguration("http: { \(section) }")).service.http.tls
    }

    @Test(
        "It is off unless a certificate is given", arguments: ["", "tls: off", "tls: \"off\"", "listen: 127.0.0.1:0"])
    func off(section: String) throws {
        #expect(try tls(section) == nil)
    }

    @Test("A certificate and its key are read, and both spellings of a version", arguments: ["1.2", "\"1.3\""])
    func on(version: String) throws {
        let first = TestCertificate.first
        let section = "certificate: \"\(first.path)\", key: \"\(first.keyPath)\", minimum_version: \(version)"
        let tls = try #require(try tls("tls: { \(section) }"))
        #expect(tls.metadata == ["certificate_until": "2120-01-01"])
    }

    @Test(
        "What is no section is one line",
        arguments: [
            ("tls: on", "14: error: \"tls\": expected off or mapping, found \"on\""),
            ("tls: [off]", "14: error: \"tls\": expected off or mapping, found list"),
            ("tls:", "14: error: \"tls\": expected off or mapping, found nothing"),
        ])
    func shape(section: String, line: String) {
        #expect(problems(makeConfiguration("http: { \(section) }")) == ["c.yaml:1:\(line)"])
    }

    @Test("Unknown and missing keys and unknown versions are told")
    func keys() {
        #expect(
            problems(makeConfiguration("http: { tls: { kye: a, minimum_version: \"1.1\" } }")) == [
                "c.yaml:1:14: error: missing \"certificate\" in \"http.tls\"",
                "c.yaml:1:14: error: missing \"key\" in \"http.tls\"",
                "c.yaml:1:16: error: unknown key \"kye\" in \"http.tls\"; did you mean \"key\"?",
                "c.yaml:1:41: error: \"minimum_version\": expected 1.2 or 1.3, found \"1.1\"; did you mean \"1.2\"?",
            ])
    }

    @Test("Files that cannot be read are told, each at its place")
    func files() throws {
        try Files.create(directory("empty.pem"), [])
        let empty = directory("empty.pem")
        #expect(
            problems(makeConfiguration("http:\n  tls:\n    certificate: /no/such.pem\n    key: \"\(empty)\"")) == [
                "c.yaml:3:18: error: \"certificate\": cannot read \"/no/such.pem\": no such file",
                "c.yaml:4:10: error: \"key\": \"\(empty)\" is empty",
            ])
    }

    @Test("A certificate or a key of no use is told at its place, with the reason")
    func pairs() {
        let first = TestCertificate.first
        #expect(pair(first.path, TestCertificate.second.keyPath) == "4:10|key|the private key is not the certificate's")
        #expect(
            pair(first.path, TestCertificate.encryptedKeyPath)
                == "4:10|key|the private key is encrypted; there is nobody to ask for its passphrase")
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
            text.replacing(" error: \"\(file.0)\": \"\(file.1)\" is of no use: ", with: "|\(file.0)|")
        }
        return short.replacing("c.yaml:", with: "").replacing(":|", with: "|")
    }

    @Test("A certificate that clients will refuse for its time is a warning")
    func time() {
        let expired = problems(makeConfiguration("http: { \(TestCertificate.expired.section) }"))
        #expect(expired == ["c.yaml:1:29: warning: the certificate has expired on 2021-01-01"])
        let future = problems(makeConfiguration("http: { \(TestCertificate.future.section) }"))
        #expect(future == ["c.yaml:1:29: warning: the certificate is not valid before 2100-01-01"])
    }
}
