internal import TestSupport
internal import Testing

@testable internal import Providers

struct ExposureLogTests {
    @Test("an exposure is the first one once, for each subject and each revision")
    func once() {
        let log = ExposureLog()
        #expect(log.isFirst(exposure(1)))
        #expect(!log.isFirst(exposure(1)))
        #expect(log.isFirst(exposure(2)))
        #expect(log.isFirst(exposure(1, revision: 2)))
        #expect(!log.isFirst(exposure(1)))
    }

    @Test("it remembers half of what it may hold at least, and no more than that")
    func bounded() {
        let log = ExposureLog(capacity: 100, shards: 1)
        for number in 0..<1000 { #expect(log.isFirst(exposure(number))) }
        for number in 950..<1000 { #expect(!log.isFirst(exposure(number))) }
        for number in 0..<850 { #expect(log.isFirst(exposure(number))) }
    }

    @Test("with its subjects spread over shards it still remembers no more than it may, and not much less than half")
    func shards() {
        let log = ExposureLog(capacity: 1600, shards: 16)
        for number in 0..<10_000 { _ = log.isFirst(exposure(number)) }
        let known = (0..<10_000).reversed().count { !log.isFirst(exposure($0)) }
        #expect((800...1600).contains(known))
    }

    @Test("what differs in one half of the digest is another subject")
    func halves() {
        let log = ExposureLog()
        #expect(log.isFirst(.init(revision: 1, subject: ExperimentSubject(high: 1, low: 2))))
        #expect(log.isFirst(.init(revision: 1, subject: ExperimentSubject(high: 2, low: 2))))
        #expect(log.isFirst(.init(revision: 1, subject: ExperimentSubject(high: 1, low: 18))))
    }

    @Test("of many at once one is the first")
    func concurrency() async {
        let log = ExposureLog()
        let firsts = await withTaskGroup { group in
            for _ in 0..<200 { group.addTask { log.isFirst(exposure(1)) } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(firsts == 1)
    }

    private func exposure(_ subject: Int, revision: UInt32 = 1) -> ExposureLog.Exposure {
        ExposureLog.Exposure(revision: revision, subject: ExperimentSubject(high: 7, low: UInt64(subject)))
    }
}
