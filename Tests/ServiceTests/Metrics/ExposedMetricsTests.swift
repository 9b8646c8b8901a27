@testable import Prometheus
import Testing

@testable import Service

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
        #expect(throws: ExposedMetrics.Problem.self) { try ExposedMetrics(text, .text) }
    }

    @Test(arguments: [
        "", "# TYPE a counter\n# HELP a A.\na_total 1\n", "\(head)a_total 1\n# EOF\n",
        "# TYPE a counter\n# HELP a A.\na 1\n# EOF\n",
        "# TYPE a counter\n# UNIT a seconds\n# HELP a A.\na_total 1\n# EOF\n",
    ])
    func `text that breaks a rule of OpenMetrics is refused`(text: String) {
        #expect(throws: ExposedMetrics.Problem.self) { try ExposedMetrics(text, .openMetrics) }
    }

    @Test func `text that keeps the rules is read`() throws {
        let text = "\(Self.head)a_total{b=\"x,y}\"} 1\n# TYPE c gauge\n# HELP c C.\nc NaN\n"
        let exposed = try ExposedMetrics(text, .text)
        #expect(exposed.value("a_total", ["b": "x,y}"]) == 1)
        #expect(exposed["c"]?.samples.first?.value.isNaN == true)
    }
}

/// Reads one line that is a sample: a name, labels, a number. Byte by byte, as scrapers do.
struct SampleReader {
    private var rest: Substring.UTF8View

    init(_ line: Substring) {
        rest = line.utf8
    }

    /// Nil where the line is none. To be asked once.
    var sample: ExposedSample? {
        mutating get {
            guard let name = word(alsoColon: true), let labels = labels(), take(" "), let value = Self.number(rest)
            else { return nil }
            return ExposedSample(name: name, labels: labels, value: value)
        }
    }

    private mutating func labels() -> [String: String]? {
        guard take("{") else { return [:] }
        var labels: [String: String] = [:]
        repeat {
            guard let name = word(alsoColon: false), take("="), take("\""), let value = quoted(),
                labels.updateValue(value, forKey: name) == nil
            else { return nil }
        } while take(",")
        return take("}") ? labels : nil
    }

    private mutating func word(alsoColon: Bool) -> String? {
        let word = rest.prefix { Self.isLetter($0) || Self.isDigit($0) || alsoColon && $0 == UInt8(ascii: ":") }
        guard let first = word.first, !Self.isDigit(first) else { return nil }
        rest = rest[word.endIndex...]
        return String(Substring(word))
    }

    private mutating func quoted() -> String? {
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                switch rest.popFirst() {
                case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
                case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
                case UInt8(ascii: "\""): text.append(UInt8(ascii: "\""))
                default: return nil
                }
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func number(_ text: Substring.UTF8View) -> Double? {
        switch String(Substring(text)) {
        case "+Inf": .infinity
        case "-Inf": -.infinity
        case "NaN": .nan
        case let text: text.utf8.contains { !"+-.0123456789e".utf8.contains($0) } ? nil : Double(text)
        }
    }
}
