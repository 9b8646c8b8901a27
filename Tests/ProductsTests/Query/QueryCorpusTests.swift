import QueryFuzzing
import TestSupport
import Testing

/// What the fuzzer of queries found worth keeping, replayed.
@Suite struct QueryCorpusTests {
    static let inputs = FuzzedInput.corpus(of: "Query")

    @Test func `The corpus has queries that are answered, and others that are refused`() throws {
        let properties = try QueryProperties()
        let answered = try Self.inputs.count(where: { try properties.check($0.bytes) })
        #expect(answered >= 15)
        #expect(Self.inputs.count - answered >= 15)
    }

    @Test(arguments: inputs)
    func `Every property of queries holds for every input of the corpus`(_ input: FuzzedInput) throws {
        let properties = try QueryProperties()
        #expect(throws: Never.self) { try properties.check(input.bytes) }
    }

    @Test(arguments: 0..<20)
    func `Every property holds for random mixtures of the corpus`(seed: Int) throws {
        let properties = try QueryProperties()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let (left, right) = (random.pick(Self.inputs).bytes, random.pick(Self.inputs).bytes)
            let cut = Int.random(in: 0...left.count, using: &random)
            try properties.check(left[..<cut] + [UInt8(ascii: "&")] + right)
        }
    }
}
