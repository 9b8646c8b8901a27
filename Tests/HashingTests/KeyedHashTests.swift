import Hashing
import Testing

@Suite struct KeyedHashTests {
    @Test func `equal bytes have one hash, wherever they stand, and others another`() {
        let text = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        var seen: Set<UInt64> = []
        for count in 0...100 {
            let moved = [1, 2, 3] + text.prefix(count) + [4]
            let hash = KeyedHash.of(text.span, 0..<count)
            #expect(KeyedHash.of(moved.span, 3..<3 + count) == hash)
            #expect(seen.insert(hash).inserted)
            for place in 0..<count {
                var changed = text
                changed[place] ^= 0x80
                #expect(KeyedHash.of(changed.span, 0..<count) != hash)
            }
        }
        let zeros = [UInt8](repeating: 0, count: 64)
        #expect(Set((0...64).map { KeyedHash.of(zeros.span, 0..<$0) }).count == 65)
    }
}
