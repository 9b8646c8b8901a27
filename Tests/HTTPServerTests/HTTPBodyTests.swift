import HTTPServer
import Testing

@Suite struct HTTPBodyTests {
    @Test func holdsItsBytes() {
        #expect(HTTPBody(text: "caf\u{e9}").bytes == [0x63, 0x61, 0x66, 0xc3, 0xa9])
        #expect(HTTPBody(bytes: [1, 2, 3] as [UInt8]).count == 3)
        #expect(HTTPBody.empty.count == 0)
        #expect(HTTPBody.empty.bytes == [])
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
