import Testing

/// A graph that stands before the upstream, and what is seen through it of each fault: a column of the matrix.
struct FaultColumn: Sendable, CustomTestStringConvertible {
    /// What a graph's config is written of.
    struct Parts: Sendable {
        /// The node that asks the upstream, in one line of YAML.
        let http: String
        /// The upstream's host and port.
        let address: String
        /// How long a request to the upstream may take.
        let patience: String
        /// How long a `timeout` decorator waits.
        let deadline: String
        /// A directory of the graph's own.
        let data: String
    }

    static let all = [bare, retry, breaker, timeout, fallback, memory, defaultGraph]

    let name: String
    /// Whether it keeps answers, so that a good one has to have been fetched before there is anything to be seen.
    var keepsAnswers = false
    /// Whether a slow answer is too late for it.
    var isImpatient = false
    /// The whole config.
    let yaml: @Sendable (Parts) throws -> String
    let cells: [Fault: Cell]

    var testDescription: String { name }
}
