import Concurrency
import Synchronization
import Testing

struct LazyReferenceTests {
    private final class Thing: Sendable {
        let number: Int
        private let onEnd: @Sendable () -> Void

        init(_ number: Int, onEnd: @escaping @Sendable () -> Void = {}) {
            (self.number, self.onEnd) = (number, onEnd)
        }

        deinit { onEnd() }
    }

    @Test func `there is nothing before something is kept, and then only that`() {
        let reference = LazyReference<Thing>()
        #expect(reference.value == nil)
        #expect(reference.keep(Thing(1)).number == 1)
        #expect(reference.keep(Thing(2)).number == 1)
        #expect(reference.value?.number == 1)
    }

    @Test func `of threads that keep something at once all get the same`() async {
        final class Shared: Sendable {
            let references = InlineArray<100, LazyReference<Thing>> { _ in LazyReference() }
        }
        let shared = Shared()
        let kept = await withTaskGroup(of: [Int].self) { group in
            for number in 0..<8 {
                group.addTask { @concurrent in (0..<100).map { shared.references[$0].keep(Thing(number)).number } }
            }
            return await group.reduce(into: Set<[Int]>()) { $0.insert($1) }
        }
        #expect(kept.count == 1)
        let read = (0..<100).compactMap { shared.references[$0].value?.number }
        #expect(kept.first == read)
    }

    @Test func `what is kept lives as long as the reference, and what is not kept ends at once`() {
        let ends = Ends()
        do {
            let reference = LazyReference<Thing>()
            for number in 0..<2 { _ = reference.keep(Thing(number) { ends.count.add(1, ordering: .relaxed) }) }
            #expect(ends.count.load(ordering: .relaxed) == 1)
            #expect(reference.value?.number == 0)
        }
        #expect(ends.count.load(ordering: .relaxed) == 2)
    }

    private final class Ends: Sendable {
        let count = Atomic<Int>(0)
    }

    @Test func `what is kept can be used without another reference to it`() {
        let ends = Ends()
        do {
            let reference = LazyReference<Thing>()
            #expect(reference.withValue(\.number) == nil)
            _ = reference.keep(Thing(1) { ends.count.add(1, ordering: .relaxed) })
            for _ in 0..<2 { #expect(reference.withValue(\.number) == 1) }
            #expect(ends.count.load(ordering: .relaxed) == 0)
        }
        #expect(ends.count.load(ordering: .relaxed) == 1)
    }
}
