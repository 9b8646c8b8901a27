import OperatorsAPI
import Testing

@testable import Prometheus

@Suite struct KnownMetricsTests {
    @Test func `every description is one sentence with a valid name`() {
        for description in MetricDescription.known {
            #expect(description.help.hasSuffix("."), "\(description.name)")
            #expect(!description.help.contains("\n") && !description.help.contains("\""), "\(description.name)")
            #expect(MetricName.metric(description.name) == description.name)
            #expect(!description.name.hasSuffix("_total") && !description.name.hasSuffix("_info"))
        }
        #expect(Set(MetricDescription.known.map(\.name)).count == MetricDescription.known.count)
    }
}
