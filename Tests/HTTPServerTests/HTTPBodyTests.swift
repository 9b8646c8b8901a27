import HTTPServer
import Testing

@Suite struct HTTPBodyTests {
    @Test func holdsItsBytes() {
        #expect(HTTPBody(text: "caf\u{e9}").bytes == [0x63, 0x61, 0x66, 0xc3, 0xa9])
        #expect(HTTPBody(bytes: [1, 2, 3] as [UInt8]).count == 3)
        #expect(HTTPBody.empty.count == 0)
        #expect(HTTPBody.empty.bytes == [])
    }

    @Test func partsAreJoined() {
        #expect(HTTPBody(joining: [Array("ab".utf8)[...], [], Array("0cd".utf8).dropFirst()]).text == "abcd")
        #expect(HTTPBody(joining: []).count == 0)
    }

    @Test func aSliceOfASliceOutlivesItsOwners() {
        var whole: HTTPBody? = HTTPBody(text: "0123456789")
        weak let remembered = whole
        var middle = whole?.slice(2..<8)
        let inner = middle?.slice(1..<4)
        whole = nil
        middle = nil
        #expect(remembered != nil)
        #expect(inner?.text == "345")
    }

    @Test func aPartIsCopiedToTheEndOfOtherBytes() {
        var bytes = Array("a".utf8)
        let body = HTTPBody(text: "0123456789")
        body.append(3..<5, to: &bytes)
        body.slice(5..<8).append(0..<3, to: &bytes)
        body.append(10..<10, to: &bytes)
        #expect(bytes == Array("a34567".utf8))
    }

    @Test func aTallyGoesWithTheLastPartWhateverThatHolds() {
        final class Companion: Sendable {}
        var tally: Companion? = Companion()
        weak let remembered = tally
        var body = tally.map { HTTPBody(text: "0123456789").counted(by: $0) }
        tally = nil
        var part = body?.holding(Companion()).slice(2..<4)
        body = nil
        #expect(remembered != nil)
        #expect(part?.text == "23")
        part = nil
        #expect(remembered == nil)
    }

    @Test func whatABodyHoldsGoesWithTheLastPart() {
        final class Companion: Sendable {}
        var companion: Companion? = Companion()
        weak let remembered = companion
        var body = companion.map { HTTPBody(text: "0123456789").holding($0) }
        companion = nil
        var part = body?.slice(2..<4)
        #expect(body?.text == "0123456789")
        body = nil
        #expect(part?.text == "23")
        #expect(remembered != nil)
        part = nil
        #expect(remembered == nil)
    }

    @Test func theMemoryGoesWithTheLastSlice() {
        var whole: HTTPBody? = HTTPBody(text: "0123456789")
        weak let remembered = whole
        var part = whole?.slice(0..<10)
        whole = nil
        #expect(part?.slice(3..<3).text == "")
        part = nil
        #expect(remembered == nil)
    }
}
