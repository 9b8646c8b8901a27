internal import Products

@testable internal import Providers

/// What a `decode:` mapping makes of a document.
func decodeMapped(_ text: String, _ mapping: String) throws -> DecodedProducts {
    try makeDecoder(mapping).decode(Array(text.utf8))
}

/// What is wrong with a document by a `decode:` mapping; nil when nothing is.
func mappedProblem(_ text: String, _ mapping: String) throws -> String? {
    do {
        _ = try decodeMapped(text, mapping)
        return nil
    } catch ProductsFailure.malformed(let detail, _) {
        return detail
    }
}
