/// Exposed metrics, read strictly by the rules of their format.
package struct ExposedMetrics {
    package struct Problem: Error, CustomStringConvertible {
        package let line: Int
        package let description: String
    }

    package private(set) var families: [ExposedFamily] = []
    private var line = 0

    /// - Throws: `Problem` with the first line that breaks a rule.
    package init(_ text: String) throws {
        let end = UInt8(ascii: "\n")
        guard text.utf8.last == end else { throw problem("the last line has no end") }
        // By bytes, as scrapers read it: to Swift the end of a line may be part of a character.
        let lines = text.utf8.split(separator: end, omittingEmptySubsequences: false).dropLast().map { Substring($0) }
        for text in lines {
            line += 1
            if text.hasPrefix("# ") { try declare(text.dropFirst(2)) } else { try add(text) }
        }
        try checkFamilies()
    }

    /// The family with this name.
    package subscript(_ name: String) -> ExposedFamily? { families.first { $0.name == name } }

    /// The sample with this name and these labels.
    package func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        families.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?.value
    }

    private mutating func declare(_ text: Substring) throws {
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count == 3 else { throw problem("not a declaration: \(text)") }
        if families.last?.name != words[1] {
            guard self[words[1]] == nil else { throw problem("\(words[1]) stands in two places") }
            families.append(ExposedFamily(name: words[1]))
        }
        let last = families.count - 1
        guard families[last].samples.isEmpty else { throw problem("declared after its samples: \(words[1])") }
        switch words[0] {
        case "TYPE" where families[last].type == nil: families[last].type = words[2]
        case "HELP" where families[last].help == nil: families[last].help = words[2]
        default: throw problem("a declaration too many: \(text)")
        }
    }

    private mutating func add(_ text: Substring) throws {
        var reader = SampleReader(text)
        guard let sample = reader.sample else { throw problem("not a sample: \(text)") }
        guard let family = families.last, family.type != nil, family.help != nil else {
            throw problem("a sample of nothing: \(text)")
        }
        guard family.sampleNames.contains(sample.name) else {
            throw problem("\(sample.name) is not of \(family.name)")
        }
        guard !family.samples.contains(where: { $0.series == sample.series }) else {
            throw problem("\(sample.series) is there twice")
        }
        families[families.count - 1].samples.append(sample)
    }

    private func checkFamilies() throws {
        let types: Set = ["counter", "gauge", "histogram"]
        for family in families {
            guard let type = family.type, types.contains(type) else {
                throw problem("\(family.name) has no known type")
            }
            guard !family.samples.isEmpty else { throw problem("\(family.name) has no sample") }
            if type == "counter", !family.name.hasSuffix("_total") {
                throw problem("\(family.name) is a counter without _total")
            }
            if type == "histogram", let reason = HistogramCheck(family).reason {
                throw problem("\(family.name): \(reason)")
            }
            if type != "gauge", let negative = family.samples.first(where: { $0.value < 0 || $0.value.isNaN }) {
                throw problem("\(negative.series) is \(negative.value)")
            }
        }
    }

    private func problem(_ text: String) -> Problem { Problem(line: line, description: text) }
}

/// A family as it was declared, and its samples.
package struct ExposedFamily {
    package let name: String
    package var type: String?
    package var help: String?
    package var samples: [ExposedSample] = []

    /// The names that its samples may have.
    package var sampleNames: [String] {
        type == "histogram" ? ["\(name)_bucket", "\(name)_sum", "\(name)_count"] : [name]
    }

    /// The values of the label with this name, each once.
    package func values(of label: String) -> Set<String> { Set(samples.compactMap { $0.labels[label] }) }
}

/// One sample.
package struct ExposedSample: Hashable {
    package let name: String
    package let labels: [String: String]
    package let value: Double

    /// Name and labels, which no other sample has.
    package var series: String {
        let labels = labels.map { "\($0.key)=\"\($0.value)\"" }.sorted().joined(separator: ",")
        return "\(name){\(labels)}"
    }
}

/// Checks that the buckets of a histogram are consistent.
package struct HistogramCheck {
    /// The fault; nil where there is none.
    package let reason: String?

    package init(_ family: ExposedFamily) {
        let groups = Dictionary(grouping: family.samples) { sample in
            sample.labels.filter { $0.key != "le" }
        }
        reason = groups.values.lazy.compactMap { Self.reason(against: $0, of: family.name) }.first
    }

    private static func reason(against samples: [ExposedSample], of name: String) -> String? {
        let buckets = samples.filter { $0.name == "\(name)_bucket" }
        let bounds = buckets.compactMap { $0.labels["le"].map { $0 == "+Inf" ? .infinity : Double($0) ?? .nan } }
        guard bounds.count == buckets.count, bounds.last == .infinity else { return "buckets without an end" }
        guard zip(bounds, bounds.dropFirst()).allSatisfy(<) else { return "bounds out of order" }
        let counts = buckets.map(\.value)
        guard zip(counts, counts.dropFirst()).allSatisfy(<=) else { return "buckets that do not add up" }
        let count = samples.filter { $0.name == "\(name)_count" }.map(\.value)
        guard count == [counts.last] else { return "a count that is not the last bucket's" }
        return samples.contains { $0.name == "\(name)_sum" } ? nil : "no sum"
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
