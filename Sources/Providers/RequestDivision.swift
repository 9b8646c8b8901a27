internal import Configuration
internal import Products

/// The division of all requests into those that get the same answer from a part of the graph: what whoever keeps
/// answers keeps them apart by.
struct RequestDivision: Sendable {
    /// What the requests of one part have in common: the variant of each variation, in their order.
    typealias Key = [String]

    private let variations: [RequestVariation]

    /// The division by how the answers of a graph vary; without variations all requests are one part.
    init(_ variations: [RequestVariation] = []) {
        self.variations = variations
    }

    /// Whether all requests get the same answer.
    var isWhole: Bool { variations.isEmpty }

    /// What tells the division from others. Parts of equal divisions with the same key consist of the same requests,
    /// or of requests that the config calls the same, such as the subjects of one arm of an experiment, also when its
    /// share has changed.
    var identity: [[String]] { variations.map { [$0.header, $0.rule] + $0.variants } }

    /// The part that a request belongs to.
    func key(of request: ProductsRequest) -> Key {
        variations.map { $0.variant(request.headers[$0.header]) }
    }

    /// The headers of a request that decide about its part, and no others.
    func headers(of request: ProductsRequest) -> [String: String] {
        guard !isWhole else { return [:] }
        return request.headers.filter { header in variations.contains { $0.header == header.key } }
    }
}
