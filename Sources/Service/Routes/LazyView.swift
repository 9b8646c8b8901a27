internal import Locks

/// A view that is encoded when it is first asked for: once, off the event loops, however many want it at that moment.
final class LazyView: Sendable {
    private enum State {
        case running(Task<EncodedView, Never>)
        case kept(EncodedView)
    }

    private let make: @Sendable () -> EncodedView
    private let state = Mutex<State?>(nil)

    init(make: @escaping @Sendable () -> EncodedView) {
        self.make = make
    }

    /// The view, as soon as there is one.
    var value: EncodedView {
        get async {
            switch state.withLock({ started(&$0) }) {
            case .kept(let view): view
            case .running(let task): await task.value
            }
        }
    }

    private func started(_ state: inout State?) -> State {
        if let state { return state }
        let started = State.running(
            Task.detached { [self] in
                let view = make()
                self.state.withLock { $0 = .kept(view) }
                return view
            })
        state = started
        return started
    }
}
