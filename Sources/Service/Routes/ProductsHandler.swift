internal import HTTPServer
internal import Products

/// A handler whose answers are made of an encoded catalogue.
protocol ProductsHandler: HTTPHandler {
    var resource: ProductsResource { get }

    /// What is wanted, of the catalogue that the graph answered with.
    func answer(
        to wanted: WantedProducts, from encoded: EncodedListing, _ answer: ProductsAnswer
    ) throws -> HTTPAnswer
}

extension ProductsHandler {
    /// What is wanted, without waiting as far as what it takes is at hand.
    func answer(to wanted: WantedProducts) throws -> HTTPAnswer {
        let asked = resource.consulted.products(wanted.request)
        if let listing = try resource.useCase.productsAtHand(for: asked) {
            return try answer(to: wanted, from: listing)
        }
        return .pending {
            let listing = try await resource.useCase.products(for: asked)
            return try await answer(to: wanted, from: listing).response
        }
    }

    private func answer(to wanted: WantedProducts, from listing: ProductsListing) throws -> HTTPAnswer {
        resource.meter.note(listing.answer)
        if let encoded = resource.listings.kept(listing) {
            return try answer(to: wanted, from: encoded, listing.answer)
        }
        return .pending {
            let encoded = await resource.listings.encoded(listing)
            return try await answer(to: wanted, from: encoded, listing.answer).response
        }
    }
}
