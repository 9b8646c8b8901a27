/// A provider with a state of its own that is worth a look while it runs, such as a breaker.
///
/// Reading it is for operators and may take a lock; it is never on the path of a request.
public protocol LiveStateReporting: Sendable {
    /// What the state is at this moment: few names, always the same ones, in an order fit for showing.
    var liveState: [LiveStateEntry] { get }
}
