internal import Decoding
internal import DecodingFuzzing
internal import TestSupport
internal import Testing

/// The inputs that the fuzzer of mapped decoders starts from, and those that it found worth keeping, replayed.
struct DecodingCorpusTests {
    struct Input: Sendable, CustomTestStringConvertible {
        let format: DocumentFormat
        let input: FuzzedInput

        var testDescription: String { "\(format) \(input)" }
    }

    static let inputs = DocumentFormat.allCases.flatMap { format in
        FuzzedInput.corpus(of: "Decoding/\(format)").map { Input(format: format, input: $0) }
    }

    @Test(arguments: DocumentFormat.allCases)
    func `the corpus has catalogues by most mappings, and documents that are refused`(format: DocumentFormat) throws {
        let inputs = Self.inputs.filter { $0.format == format }
        let accepted = try inputs.count { try MappedProperties.check($0.input.bytes, as: format) }
        #expect(accepted >= (format == .json ? 8 : 3))
        #expect(accepted < inputs.count)
    }

    @Test(arguments: inputs)
    func `every property of decoded documents holds for every input of the corpus`(_ input: Input) {
        #expect(throws: Never.self) { try MappedProperties.check(input.input.bytes, as: input.format) }
    }
}
