internal import Concurrency
internal import TestSupport
internal import Testing

@testable internal import Providers

struct WaySamplerTests {
    private let clock = ManualClock()
    private let sampler: WaySampler

    init() {
        sampler = WaySampler(uptime: Uptime(of: clock))
    }

    @Test("requests that come slowly are all followed")
    func slow() {
        for _ in 0..<1000 {
            #expect(sampler.chooses())
            clock.advance(by: .milliseconds(101))
        }
    }

    @Test("of those that come fast about ten a second are, after the first few")
    func fast() {
        #expect(chosen(of: 10_000, over: .zero) == 32)
        #expect((95...105).contains(chosen(of: 10_000, over: .seconds(10))))
        #expect(chosen(of: 100_000, over: .seconds(1)) <= 11)
    }

    @Test("after a rush a while without requests is enough for some in a row, and a long one for no more")
    func rest() {
        _ = chosen(of: 100, over: .zero)
        clock.advance(by: .milliseconds(505))
        #expect(chosen(of: 100, over: .zero) == 5)
        clock.advance(by: .seconds(86_400))
        #expect(chosen(of: 100, over: .zero) == 32)
    }

    @Test("to ask whether one would be followed uses nothing up")
    func asking() {
        for _ in 0..<100 { #expect(sampler.wouldChoose) }
        #expect(chosen(of: 100, over: .zero) == 32)
        #expect(!sampler.wouldChoose)
    }

    @Test("of many at once few are, and no later one is lost for it")
    func concurrency() async {
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { for _ in 0..<1000 { _ = sampler.chooses() } } }
        }
        #expect(!sampler.chooses())
        clock.advance(by: .milliseconds(101))
        #expect(sampler.chooses())
    }

    private func chosen(of count: Int, over time: Duration) -> Int {
        (0..<count).count { _ in
            defer { clock.advance(by: time / count) }
            return sampler.chooses()
        }
    }
}
