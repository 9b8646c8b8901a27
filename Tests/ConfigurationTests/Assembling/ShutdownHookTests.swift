import Testing

@testable import Configuration

@Suite(.timeLimit(.minutes(1)))
struct ShutdownHookTests {
    private func makeHook(
        _ name: String, of owner: String, height: Int = 0, _ close: @escaping @Sendable () async -> Void
    ) -> ShutdownHook {
        ShutdownHook(name: name, owner: owner, isTakenOver: false, close: close, height: height)
    }

    @Test("components side by side are closed at the same time")
    func together() async {
        let (waits, go) = AsyncStream.makeStream(of: Never.self)
        let (done, end) = AsyncStream.makeStream(of: Never.self)
        await [
            makeHook("a", of: "a") {
                for await _ in waits {}
                end.finish()
            },
            makeHook("b", of: "b") {
                go.finish()
                for await _ in done {}
            },
        ].close()
    }

    @Test("what is built on others is closed before those, and each component's hooks in their order")
    func order() async {
        let journal = Journal()
        let hooks = [("below", 0), ("above", 2), ("between", 1)].flatMap { owner, height in
            ["1", "2"].map { number in
                makeHook(number, of: owner, height: height) { await journal.note("\(owner) \(number)") }
            }
        }
        await hooks.close()
        #expect(
            await journal.entries == ["above 1", "above 2", "between 1", "between 2", "below 1", "below 2"])
    }
}
