internal import Providers

extension LiveStateReporting {
    /// The live state in one line: `in_flight 3, waiting 0`.
    var shown: String {
        liveState.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    }
}
