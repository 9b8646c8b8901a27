@testable import Service

/// A family as it was declared, and its samples.
struct ExposedFamily {
    let name: String
    var type: String?
    var unit: String?
    var help: String?
    var samples: [ExposedSample] = []

    /// The names that its samples may have.
    func sampleNames(in format: MetricsFormat) -> [String] {
        switch (type, format) {
        case ("histogram", _): ["\(name)_bucket", "\(name)_sum", "\(name)_count"]
        case ("counter", .openMetrics): ["\(name)_total"]
        case ("info", _): ["\(name)_info"]
        default: [name]
        }
    }

    /// The values of the label with this name, each once.
    func values(of label: String) -> Set<String> { Set(samples.compactMap { $0.labels[label] }) }
}
