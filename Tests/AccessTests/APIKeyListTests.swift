import Hashing
import Testing

@testable import Access

@Suite struct APIKeyListTests {
    private static let digest = SHA256Digest(of: "secret".utf8)
    private static let hex = digest.hexDigits
    private static let other = SHA256Digest(of: "other".utf8).hexDigits

    @Test func `reads names, digests, ends and scopes`() throws {
        let list = try APIKeyList(
            parsing: """
                # tills
                till-1:sha256-\(Self.hex)

                  till.2 : sha256-\(Self.other.uppercased()):2027-01-01 : changes\r
                stand_3:sha256-\(SHA256Digest(of: "third".utf8).hexDigits)::products,changes
                """)
        #expect(list.keys.map(\.name) == ["till-1", "till.2", "stand_3"])
        #expect(list.keys[0].digest == Self.digest)
        #expect(list.keys.map(\.end) == [nil, 1_798_761_600, nil])
        #expect(list.keys.map(\.scopes) == [[.products, .changes], [.changes], [.products, .changes]])
    }

    @Test(arguments: [
        ("", "line 1: there is no key; write one as NAME:sha256-HEX"),
        ("# none\n", "line 1: there is no key; write one as NAME:sha256-HEX"),
        ("secret", "line 1: a key is NAME:sha256-HEX, with the day of its end and its scopes behind further colons"),
        (
            "a:sha256-HEX:::",
            "line 1: a key is NAME:sha256-HEX, with the day of its end and its scopes behind further colons"
        ),
        ("till 1:sha256-HEX", "line 1: its name is not 1 to 64 letters, digits, \"-\", \"_\" and \".\""),
        (":sha256-HEX", "line 1: its name is not 1 to 64 letters, digits, \"-\", \"_\" and \".\""),
        (
            "a:HEX",
            "line 1: its digest is not sha256- and 64 hexadecimal digits; printf %s KEY | sha256sum prints them"
        ),
        (
            "a:sha256-HEX0",
            "line 1: its digest is not sha256- and 64 hexadecimal digits; printf %s KEY | sha256sum prints them"
        ),
        (
            "a:sha256-+1\(String(repeating: "0", count: 62))",
            "line 1: its digest is not sha256- and 64 hexadecimal digits; printf %s KEY | sha256sum prints them"
        ),
        ("a:sha256-EMPTY", "line 1: its digest is that of an empty key"),
        ("a:sha256-HEX:1.1.2027", "line 1: its end is not a day such as 2027-01-01"),
        ("a:sha256-HEX:2027-13-01", "line 1: its end is not a day such as 2027-01-01"),
        ("a:sha256-HEX:2027-02-30", "line 1: its end is not a day such as 2027-01-01"),
        ("a:sha256-HEX::orders", "line 1: its scopes are not of products and changes"),
        ("a:sha256-HEX\na:sha256-OTHER", "line 2: line 1 has a key of this name"),
        ("a:sha256-HEX\n\nb:sha256-HEX", "line 3: line 1 has this key"),
    ])
    func `names the line of a fault and nothing of its content`(text: String, fault: String) {
        let text = text.replacing("HEX", with: Self.hex).replacing("OTHER", with: Self.other)
            .replacing("EMPTY", with: SHA256Digest(of: []).hexDigits)
        #expect(throws: APIKeyList.Fault.self) { try APIKeyList(parsing: text) }
        do {
            _ = try APIKeyList(parsing: text)
        } catch {
            #expect(error.description == fault)
            #expect(!error.description.contains(Self.hex))
        }
    }
}
