import Hashing
import Testing

struct SHA256DigestTests {
    /// The examples of FIPS 180-4, and the lengths around a block.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `gives the published digests, from contiguous and other bytes`(text: String, digits: String) {
        #expect(SHA256Digest(of: Array(text.utf8)).hexDigits == digits)
        #expect(SHA256Digest(of: Array(text.utf8.reversed()).reversed()).hexDigits == digits)
    }

    @Test func `gives the published digest of a million bytes`() {
        let digest = SHA256Digest(of: String(repeating: "a", count: 1_000_000).utf8)
        #expect(digest.hexDigits == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func `counts words and bytes from the front`() {
        let digest = SHA256Digest(of: "abc".utf8)
        #expect(digest.words[0] == 0xba78_16bf_8f01_cfea)
        #expect(Array(digest.bytes.prefix(3)) == [0xba, 0x78, 0x16] && digest.bytes.count == 32)
    }

    @Test func `names a script as Redis does`() {
        #expect(SHA1.hexDigits(of: "return 1".utf8) == "e0e1f9fabfc9d4800c877a703b823ac0578ff8db")
        #expect(SHA1.hexDigits(of: "".utf8) == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    }
}
