import Concurrency
import HTTPServer
import ServingTestSupport

@testable import Products
@testable import Serving

func makeListing(_ catalogue: Catalogue) -> ProductsListing {
    ProductsListing(answer: makeAnswer(catalogue), popularity: PopularityRule())
}

extension Eventual {
    /// The value, if it need not be waited for.
    var ready: Value? {
        if case .ready(let value) = self { value } else { nil }
    }
}

extension EncodedListing {
    /// A listing that is alone, modified when it was fetched.
    convenience init(_ listing: ProductsListing, languages: [String] = [], memory: ResponseMemory = ResponseMemory()) {
        self.init(
            listing, as: listing.encoded(), lastModified: LastModified(listing.answer.snapshot.fetchedAt),
            languages: languages, memory: memory, siblings: 1)
    }
}

extension ListingCache {
    convenience init(capacity: Int, isVaried: Bool = true, wallClock: WallClock = .system, allowance: Int = 1 << 26) {
        self.init(
            capacity: capacity, isVaried: isVaried, memory: ResponseMemory(allowance: allowance),
            modifications: ModificationTimes(wallClock: wallClock))
    }
}
