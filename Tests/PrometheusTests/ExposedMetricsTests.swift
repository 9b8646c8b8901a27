import Prometheus
import TestSupport
import Testing

/// Checks the reader that the other tests rely on.
@Suite struct ExposedMetricsTests {
    private static let head = "# TYPE a_total counter\n# HELP a_total Of a.\n"

    @Test(arguments: [
        "a_total 1\n", "\(head)a_total 1", "\(head)b_total 1\n", "\(head)a_total 1\na_total 1\n",
        "\(head)a_total\n",
        "\(head)a_total x\n", "\(head)a_total -1\n", "\(head)a_total{b=\"1} 1\n", "\(head)a_total{b=\"\\x\"} 1\n",
        "\(head)a_total{b=\"1\",b=\"1\"} 1\n", "\(head)a_total{1b=\"1\"} 1\n", "\(head)\(head)a_total 1\n",
        "\(head)", "# TYPE a_total counter\na_total 1\n", "# TYPE a counter\n# HELP a A.\na 1\n",
        "# TYPE a info\n# HELP a A.\na_info 1\n", "# TYPE a gauge\n# HELP a A.\na 1 2 3\n",
        "\(head)a_total 1\n# TYPE b gauge\n# HELP b B.\nb 1\n\(head)a_total{c=\"\"} 1\n",
        "# TYPE a histogram\n# HELP a A.\na_bucket{le=\"1\"} 1\na_sum 1\na_count 1\n",
        "# TYPE a histogram\n# HELP a A.\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
        "# TYPE a histogram\n# HELP a A.\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 2\n",
    ])
    func `text that breaks a rule of Prometheus is refused`(text: String) {
        #expect(throws: ExposedMetrics.Problem.self) { try ExposedMetrics(text) }
    }

    @Test func `text that keeps the rules is read`() throws {
        let text = "\(Self.head)a_total{b=\"x,y}\"} 1\n# TYPE c gauge\n# HELP c C.\nc NaN\n"
        let exposed = try ExposedMetrics(text)
        #expect(exposed.value("a_total", ["b": "x,y}"]) == 1)
        #expect(exposed["c"]?.samples.first?.value.isNaN == true)
    }
}
