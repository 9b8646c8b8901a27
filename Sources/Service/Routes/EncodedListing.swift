internal import Products

/// One revision of the catalogue in the bytes that clients get, encoded once for each view.
final class EncodedListing: Sendable {
    let catalogue: Catalogue
    /// When this revision was first seen, as a header says it.
    let lastModified: String
    /// The products as they are.
    let plain: EncodedView
    private let display: LazyView

    /// Takes milliseconds for thousands of products: make it off the event loops.
    init(_ listing: ProductsListing) {
        let listed = listing.encoded()
        catalogue = listing.answer.snapshot.catalogue
        lastModified = HTTPDate.text(listing.answer.snapshot.fetchedAt)
        plain = EncodedView(
            array: listed.bytes, ranges: listed.ranges,
            entityTag: "\"\(catalogue.revision)-\(listing.popularity.salesOver)\"")
        display = LazyView {
            let displayed = listing.displayed()
            return EncodedView(array: displayed.bytes, ranges: displayed.ranges)
        }
    }

    /// Whether a catalogue has the products that are encoded here.
    func isOf(_ other: Catalogue) -> Bool {
        other === catalogue || other.revision == catalogue.revision
    }

    /// The products in a view, or as they are. A view that nobody asked for before is encoded first.
    ///
    /// Its tag is made from its content, since its texts are the program's: another version may put them otherwise for
    /// the same revision.
    func view(_ view: ProductsView?) async -> EncodedView {
        switch view {
        case nil: plain
        case .display: await display.value
        }
    }
}
