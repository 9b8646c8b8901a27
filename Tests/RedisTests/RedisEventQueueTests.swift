import Testing

@testable import Redis

@Suite(.timeLimit(.minutes(1)))
struct RedisEventQueueTests {
    private let queue = RedisEventQueue()

    private func message(_ number: Int) -> RedisEvent { .message(Array("\(number)".utf8)) }

    private func taken() async -> [RedisEvent] {
        queue.finish()
        return await queue.stream.reduce(into: []) { $0.append($1) }
    }

    @Test func `a slow consumer gets the newest messages, and all changes of the connections`() async {
        queue.append(.connected)
        for number in 0..<1000 { queue.append(message(number)) }
        let kept = (1000 - RedisEventQueue.mostMessages)..<1000
        #expect(await taken() == [.connected] + kept.map(message))
    }

    @Test func `messages from before a change of the connections are dropped`() async {
        queue.append(message(1))
        queue.append(.disconnected("a"))
        queue.append(message(2))
        queue.append(.connected)
        queue.append(message(3))
        #expect(await taken() == [.disconnected("a"), .connected, message(3)])
    }

    @Test func `connections that come and go for days take no memory`() async {
        for number in 0..<1000 { queue.append(.disconnected("\(number)")) }
        let events = await taken()
        #expect(events.count == 16)
        #expect(events.last == .disconnected("999"))
    }
}
