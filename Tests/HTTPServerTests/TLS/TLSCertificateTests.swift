import HTTPServer
import TestSupport
import Testing

struct TLSCertificateTests {
    private func failure(_ chain: String, _ key: String) throws -> TLSCertificateError {
        try #require(throws: TLSCertificateError.self) {
            try TLSCertificate(chain: chain, key: key, minimumVersion: .v12)
        }
    }

    @Test(arguments: [(TestCertificate.first, Int64(4_733_510_400)), (.expired, 1_609_459_200)])
    func `tells from when until when it is valid`(certificate: TestCertificate, until: Int64) throws {
        let validity = try TLSCertificate.test(certificate).validity
        #expect(validity == (from: 1_577_836_800, until: until))
    }

    @Test func `may stand with its key in one text, and before others`() throws {
        let text = try TestCertificate.first.key + TestCertificate.first.chain + TestCertificate.second.chain
        #expect(try TLSCertificate(chain: text, key: text, minimumVersion: .v13).validity.until > 0)
    }

    @Test func `says what is wrong with it or with its key`() throws {
        let first = TestCertificate.first
        #expect(try failure("nonsense", first.key) == .noCertificate(reason: "no start line"))
        #expect(try failure(first.key, first.key) == .noCertificate(reason: "no start line"))
        #expect(try failure(first.chain, TestCertificate.second.key) == .keyMismatch)
        #expect(try failure(first.chain, TestCertificate.weak.key) == .keyMismatch)
        #expect(try failure(first.chain, TestCertificate.encryptedKey) == .encryptedKey)
        #expect(
            try failure(TestCertificate.weak.chain, TestCertificate.weak.key)
                == .weakCertificate(reason: "ee key too small"))
        guard case .noKey = try failure(first.chain, first.chain) else {
            Issue.record("a certificate was taken for a key")
            return
        }
    }

    @Test func `is refused when one of those behind it is damaged`() throws {
        let damaged = try TestCertificate.second.chain.replacing("MII", with: "MIO", maxReplacements: 1)
        let failure = try failure(TestCertificate.first.chain + damaged, TestCertificate.first.key)
        guard case .noCertificate = failure else {
            Issue.record("unexpected: \(failure)")
            return
        }
    }

    @Test func `has no word of the key in what is said of it`() throws {
        let key = try TestCertificate.first.key
        let damaged = key.replacing("M", with: "N")
        let sentence = "\(try failure(try TestCertificate.first.chain, damaged))"
        #expect(key.split(separator: "\n").dropFirst().dropLast().allSatisfy { !sentence.contains($0.prefix(8)) })
    }
}
