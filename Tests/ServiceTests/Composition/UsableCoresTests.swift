import Testing

@testable import Service

@Suite("Usable cores")
struct UsableCoresTests {
    @Test(
        "The lesser of affinity and quota counts, a begun core as a whole one",
        arguments: [
            (8, nil, 8), (8, "max 100000\n", 8), (8, "200000 100000\n", 2), (8, "150000 100000\n", 2),
            (8, "50000 100000\n", 1), (2, "800000 100000", 2), (4, "100000 100000", 1), (1, "1000 100000", 1),
            (4, "", 4), (4, "nonsense", 4), (4, "100000", 4), (4, "100000 0", 4), (0, nil, 1),
        ] as [(Int, String?, Int)])
    func count(affinity: Int, quota: String?, cores: Int) {
        #expect(UsableCores.count(affinity: affinity, quota: quota) == cores)
    }

    @Test("This machine has at least one")
    func here() {
        #expect(UsableCores.count() >= 1)
    }
}
