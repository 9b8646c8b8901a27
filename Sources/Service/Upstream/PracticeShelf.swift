internal import HTTPServer
internal import JSON
internal import Locks

/// What the practice upstream's handlers share: the bodies it can send, the fault that is switched on, and a count.
final class PracticeShelf: Sendable {
    /// The whole catalogue.
    let whole: HTTPBody
    /// Two fifths of it.
    let shrunken: HTTPBody
    private let state = Mutex((fault: PracticeFault.none, requests: 0))

    init(catalogue: PracticeCatalogue) {
        whole = Self.body(catalogue.items)
        shrunken = Self.body(Array(catalogue.items.prefix(catalogue.items.count * 2 / 5)))
    }

    /// The fault that is switched on.
    var fault: PracticeFault {
        get { state.withLock(\.fault) }
        set { state.withLock { $0.fault = newValue } }
    }

    /// How often the catalogue was asked for, also when the answer was a fault.
    var requests: Int { state.withLock(\.requests) }

    /// Counts a request, and tells what it gets.
    func take() -> PracticeFault {
        state.withLock { state in
            state.requests += 1
            return state.fault
        }
    }

    private static func body(_ items: [JSONValue]) -> HTTPBody {
        HTTPBody(bytes: JSONValue.array(items).encoded())
    }
}
