import Locks
import Testing

@testable import Service

@Suite("What is made when it is asked for")
struct LazyValueTests {
    private final class Encoder: Sendable {
        private let count = Mutex(0)

        var encodings: Int { count.withLock { $0 } }

        func view() -> EncodedView {
            count.withLock { $0 += 1 }
            return EncodedView(array: Array("[1]".utf8), ranges: [1..<2])
        }
    }

    @Test("Nothing is made before it is asked for, and then once, however many ask at that moment")
    func once() async {
        let encoder = Encoder()
        let lazy = LazyValue { encoder.view() }
        #expect(encoder.encodings == 0)
        let views = await withTaskGroup { group in
            for _ in 0..<256 { group.addTask { await lazy.value } }
            return await group.reduce(into: [EncodedView]()) { $0.append($1) }
        }
        #expect(views.count == 256)
        #expect(Set(views.map(ObjectIdentifier.init)).count == 1)
        #expect(await lazy.value === views[0])
        #expect(encoder.encodings == 1)
    }
}
