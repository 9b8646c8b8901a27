extension ProductsListing {
    /// What is shown of the products. Like ``encoded()`` it depends on nothing but the revision and the rule, takes
    /// tens of milliseconds for ten thousand products and is not kept here.
    public func displayed() -> DisplayedCatalogue {
        DisplayedCatalogue(answer.snapshot.catalogue, popularity: popularity)
    }
}
