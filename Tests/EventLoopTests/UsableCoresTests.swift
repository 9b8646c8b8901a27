import Testing

@testable import EventLoop

struct UsableCoresTests {
    @Test(
        arguments: [
            (8, nil, 8), (8, "max 100000\n", 8), (8, "200000 100000\n", 2), (8, "150000 100000\n", 2),
            (8, "50000 100000\n", 1), (2, "800000 100000", 2), (4, "100000 100000", 1), (1, "1000 100000", 1),
            (4, "", 4), (4, "nonsense", 4), (4, "100000", 4), (4, "100000 0", 4), (0, nil, 1),
        ] as [(Int, String?, Int)])
    func `the lesser of affinity and quota counts, a begun core as a whole one`(
        affinity: Int, quota: String?, cores: Int
    ) {
        #expect(UsableCores.count(affinity: affinity, quota: quota) == cores)
    }

    @Test func `this machine has at least one`() {
        #expect(UsableCores.count() >= 1)
    }
}
