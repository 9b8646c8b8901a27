import Fleet
import Testing

@Suite struct CataloguePointerTests {
    @Test func `pointers of equal members are equal`() {
        let pointer = CataloguePointer(
            generation: 1, revision: "a", epoch: 1, startedAt: 1, checkedAt: 2, count: 3, bytes: 4, sha256: "b",
            writer: "c")
        var other = pointer
        #expect(pointer == other)
        other.startedAt = 2
        #expect(pointer != other)
    }
}
