import Products
import TestSupport
import Testing

@testable import Persistence

@Suite(.timeLimit(.minutes(1)))
struct DeferredSaverTests {
    /// A disk whose writes complete when the test allows it.
    private final class Disk: Sendable {
        struct State {
            var begun: [String] = []
            var saved: [String] = []
            var failure: ProductsFailure?
        }

        let state = Observed(State())
        private let isOpen = Observed(true)

        func save(_ snapshot: ProductsSnapshot) async throws {
            let name = snapshot.products.first?.name ?? ""
            state.update { $0.begun.append(name) }
            await isOpen.wait { $0 }
            let failure = state.update { state in
                if state.failure == nil { state.saved.append(name) }
                return state.failure
            }
            if let failure { throw failure }
        }

        func hang() { isOpen.update { $0 = false } }
        func release() { isOpen.update { $0 = true } }
    }

    private let clock = ManualClock()
    private let log = LogRecorder()
    private let disk = Disk()
    private let slow = Observed(0)

    private func make() -> DeferredSaver {
        DeferredSaver(
            clock: clock, logger: log.logger, onSlow: { [slow] in slow.update { $0 += 1 } },
            save: { [disk] in try await disk.save($0) })
    }

    private func name(_ name: String) -> String { "\(name) 0 é😀" }

    @Test func `saves run one at a time, and of those that wait only the newest`() async throws {
        let saver = make()
        disk.hang()
        saver.submit(try makeSnapshot("one"))
        await disk.state.wait { $0.begun.count == 1 }
        for other in ["two", "three", "four"] { saver.submit(try makeSnapshot(other)) }
        #expect(saver.unsaved?.products.first?.name == name("four"))
        #expect(disk.state.value.begun == [name("one")])
        disk.release()
        await saver.drain()
        #expect(disk.state.value.saved == [name("one"), name("four")])
        #expect(saver.unsaved == nil)
        #expect(log.seen == [])
    }

    @Test func `a closed saver takes nothing more`() async throws {
        let saver = make()
        saver.submit(try makeSnapshot("one"))
        await saver.close(within: .seconds(2))
        saver.submit(try makeSnapshot("two"))
        await saver.drain()
        #expect(disk.state.value.begun == [name("one")])
        #expect(saver.unsaved == nil)
    }

    @Test func `what was submitted last is not saved again; a newer confirmation of it is`() async throws {
        let saver = make()
        for _ in 0..<3 {
            saver.submit(try makeSnapshot("one"))
            await saver.drain()
        }
        saver.submit(try makeSnapshot("one", fetchedAt: 1_769_999_999))
        await saver.drain()
        #expect(disk.state.value.saved.count == 2)
    }

    @Test func `a disk that hangs is one warning, however many saves it takes; its end is one notice`() async throws {
        let saver = make()
        disk.hang()
        for number in 1...3 {
            saver.submit(try makeSnapshot("\(number)"))
            await disk.state.wait { $0.begun.count == number }
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            await slow.wait { $0 == number }
            #expect(saver.runningTime > .zero)
            disk.release()
            await saver.drain()
            disk.hang()
        }
        #expect(log.seen == ["warning: saving the catalogue is slow"])
        disk.release()
        saver.submit(try makeSnapshot("4"))
        await saver.drain()
        #expect(saver.runningTime == .zero)
        #expect(log.seen == ["warning: saving the catalogue is slow", "notice: saving the catalogue is fast again"])
    }

    @Test
    func `on a disk that is always slow, every row of failures is a warning, and its end a notice`() async throws {
        let saver = make()
        for (number, fails) in [true, true, false, true, false].enumerated() {
            disk.state.update { $0.failure = fails ? ProductsFailure.storeFailed(detail: "disk full") : nil }
            disk.hang()
            saver.submit(try makeSnapshot("\(number)"))
            await disk.state.wait { $0.begun.count == number + 1 }
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            await slow.wait { $0 == number + 1 }
            disk.release()
            await saver.drain()
        }
        let row = ["warning: products are served but cannot be saved", "notice: store recovered"]
        #expect(log.seen == ["warning: saving the catalogue is slow"] + row + row)
    }

    @Test
    func `a row of saves that fail is one warning, and its end one notice; what failed is saved when it comes again`()
        async throws
    {
        let saver = make()
        disk.state.update { $0.failure = .storeFailed(detail: "disk full") }
        for _ in 0..<5 {
            saver.submit(try makeSnapshot())
            await saver.drain()
        }
        #expect(disk.state.value.begun.count == 5)
        disk.state.update { $0.failure = nil }
        for _ in 0..<2 {
            saver.submit(try makeSnapshot())
            await saver.drain()
        }
        #expect(disk.state.value.saved.count == 1)
        #expect(log.seen == ["warning: products are served but cannot be saved", "notice: store recovered"])
        #expect(log.seenLines.first?.metadata["error"] == "store failed: disk full")
    }

    @Test func `a drain waits for the save that runs and the one behind it, and no longer than it may`() async throws {
        let saver = make()
        disk.hang()
        saver.submit(try makeSnapshot("one"))
        await disk.state.wait { $0.begun.count == 1 }
        saver.submit(try makeSnapshot("two"))
        let hurried = Task { await saver.close(within: .milliseconds(500)) }
        await clock.waitForSleepers(2)
        clock.advance(by: .milliseconds(500))
        await hurried.value
        #expect(log.seen == ["warning: the newest catalogue is not saved, the disk does not answer"])
        let patient = Task { await saver.close(within: .milliseconds(400)) }
        disk.release()
        await patient.value
        #expect(disk.state.value.saved == [name("one"), name("two")])
        #expect(log.seen.count == 1)
    }
}
