import Concurrency
import Testing

struct LazyTests {
    private final class Maker: Sendable {
        private let count = Mutex(0)

        var made: Int { count.withLock { $0 } }

        func value() -> Maker {
            count.withLock { $0 += 1 }
            return Maker()
        }
    }

    @Test func `it is made once off the loops, however many want it at that moment`() async {
        let maker = Maker()
        let lazy = Lazy { maker.value() }
        #expect(maker.made == 0)
        #expect(lazy.kept == nil)
        let values = await withTaskGroup { group in
            for _ in 0..<256 { group.addTask { await lazy.made() } }
            return await group.reduce(into: [Maker]()) { $0.append($1) }
        }
        #expect(values.count == 256)
        #expect(Set(values.map(ObjectIdentifier.init)).count == 1)
        #expect(lazy.kept === values[0])
        #expect(lazy.value === values[0])
        #expect(maker.made == 1)
    }

    @Test func `made on the caller's thread, it is kept for all`() async {
        let maker = Maker()
        let lazy = Lazy { maker.value() }
        let value = lazy.value
        #expect(lazy.value === value)
        #expect(await lazy.made() === value)
        #expect(maker.made == 1)
    }
}
