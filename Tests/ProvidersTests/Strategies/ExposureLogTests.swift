internal import TestSupport
internal import Testing

@testable internal import Providers

struct ExposureLogTests {
    @Test("each subject is the first one once, and both halves of its digest count")
    func once() {
        let log = ExposureLog()
        #expect(log.isFirst(subject(1)))
        #expect(!log.isFirst(subject(1)))
        #expect(log.isFirst(subject(2)))
        #expect(log.isFirst(subject(18)))
        #expect(log.isFirst(subject(1, high: 8)))
    }

    @Test("it remembers half of what it may hold at least, and no more than that")
    func bounded() {
        let log = ExposureLog(capacity: 100, shards: 1)
        for number in 0..<1000 { #expect(log.isFirst(subject(number))) }
        for number in 950..<1000 { #expect(!log.isFirst(subject(number))) }
        for number in 0..<850 { #expect(log.isFirst(subject(number))) }
    }

    @Test("with its subjects spread over shards it still remembers no more than it may, and not much less than half")
    func shards() {
        let log = ExposureLog(capacity: 1600, shards: 16)
        for number in 0..<10_000 { _ = log.isFirst(subject(number)) }
        let known = (0..<10_000).reversed().count { !log.isFirst(subject($0)) }
        #expect((800...1600).contains(known))
    }

    @Test("of many at once one is the first")
    func concurrency() async {
        let log = ExposureLog()
        let firsts = await withTaskGroup { group in
            for _ in 0..<200 { group.addTask { log.isFirst(subject(1)) } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(firsts == 1)
    }

    private func subject(_ low: Int, high: UInt64 = 7) -> ExperimentSubject {
        ExperimentSubject(high: high, low: UInt64(low))
    }
}
