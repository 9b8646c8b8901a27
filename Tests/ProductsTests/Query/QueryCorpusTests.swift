import FoundationEssentials
import QueryFuzzing
import TestSupport
import Testing

/// What the fuzzer of queries found worth keeping, replayed.
@Suite struct QueryCorpusTests {
    struct Input: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]

        var testDescription: String { name }
    }

    static let inputs: [Input] = {
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let corpus = "/\(folder)/Fuzz/Query/Corpus"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: corpus)) ?? []
        return names.sorted().compactMap { name in
            FileManager.default.contents(atPath: "\(corpus)/\(name)").map { Input(name: name, bytes: [UInt8]($0)) }
        }
    }()

    @Test("The corpus has queries that are answered, and others that are refused")
    func thereIsACorpus() throws {
        let properties = try QueryProperties()
        let answered = try Self.inputs.count(where: { try properties.check($0.bytes) })
        #expect(answered >= 15)
        #expect(Self.inputs.count - answered >= 15)
    }

    @Test("Every property of queries holds for every input of the corpus", arguments: inputs)
    func holds(_ input: Input) throws {
        let properties = try QueryProperties()
        #expect(throws: Never.self) { try properties.check(input.bytes) }
    }

    @Test("Every property holds for random mixtures of the corpus", arguments: 0..<20)
    func mixtures(seed: Int) throws {
        let properties = try QueryProperties()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let (left, right) = (random.pick(Self.inputs).bytes, random.pick(Self.inputs).bytes)
            let cut = Int.random(in: 0...left.count, using: &random)
            try properties.check(left[..<cut] + [UInt8(ascii: "&")] + right)
        }
    }
}
