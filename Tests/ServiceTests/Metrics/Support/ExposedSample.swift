/// One line of exposed metrics that is a number.
struct ExposedSample: Hashable {
    let name: String
    let labels: [String: String]
    let value: Double

    /// What tells it from all other samples.
    var series: String {
        let labels = labels.map { "\($0.key)=\"\($0.value)\"" }.sorted().joined(separator: ",")
        return "\(name){\(labels)}"
    }
}
