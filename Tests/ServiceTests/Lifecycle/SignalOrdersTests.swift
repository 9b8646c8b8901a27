import EventLoop
import Testing

@testable import Service

@Suite("What signals mean")
struct SignalOrdersTests {
    private static let deadline = Duration.seconds(20)
    private static let stops: [HeldSignal] = [.terminate, .interrupt]

    @Test("SIGHUP is a reload, before and after the first signal to stop")
    func hangUp() {
        var orders = SignalOrders()
        #expect(orders.order(for: .hangUp, at: .zero, deadline: Self.deadline) == .reload)
        #expect(orders.order(for: .terminate, at: .seconds(1), deadline: Self.deadline) == .stop)
        #expect(orders.order(for: .hangUp, at: .seconds(2), deadline: Self.deadline) == .reload)
    }

    @Test("The first signal to stop is a wish, the second an order, whichever they are", arguments: stops, stops)
    func twice(first: HeldSignal, second: HeldSignal) {
        var orders = SignalOrders()
        #expect(orders.order(for: first, at: .zero, deadline: Self.deadline) == .stop)
        let order = orders.order(for: second, at: .seconds(1), deadline: Self.deadline)
        #expect(order == .stopAtOnce(.secondSignal(second, after: first)))
    }

    @Test("Without a signal to stop there is no deadline, however long that is")
    func noDeadline() {
        var orders = SignalOrders()
        #expect(orders.patience(at: .seconds(86400), deadline: Self.deadline) == nil)
        #expect(orders.order(for: nil, at: .seconds(86400), deadline: Self.deadline) == .nothing)
    }

    @Test("After it the deadline counts from the signal, and ends the service when it has passed")
    func deadline() {
        var orders = SignalOrders()
        _ = orders.order(for: .terminate, at: .seconds(100), deadline: Self.deadline)
        #expect(orders.patience(at: .seconds(105), deadline: Self.deadline) == .seconds(15))
        #expect(orders.order(for: nil, at: .seconds(119), deadline: Self.deadline) == .nothing)
        #expect(orders.patience(at: .seconds(121), deadline: Self.deadline) == .zero)
        let order = orders.order(for: nil, at: .seconds(120), deadline: Self.deadline)
        #expect(order == .stopAtOnce(.deadline(Self.deadline)))
    }

    @Test(
        "Each end says why, and has the status that shells show for it",
        arguments: [
            (HastyStop.secondSignal(.terminate, after: .terminate), 143, "a second SIGTERM came while draining"),
            (.secondSignal(.interrupt, after: .interrupt), 130, "a second SIGINT came while draining"),
            (.secondSignal(.interrupt, after: .terminate), 130, "SIGINT came after SIGTERM while draining"),
            (.deadline(.seconds(20)), 1, "the drain deadline of 20.0 seconds has passed"),
        ])
    func reasons(stop: HastyStop, status: Int32, words: String) {
        #expect(stop.status == status)
        #expect("\(stop)" == words)
    }
}
