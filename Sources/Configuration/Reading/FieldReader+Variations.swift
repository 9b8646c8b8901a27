extension FieldReader {
    /// Declares that the component's answers vary by a request header, so that whoever serves the graph hands the header
    /// in and tells caches of it, and whoever keeps answers keeps the variants apart.
    public func varies(_ variation: RequestVariation) {
        context.variations.append(variation)
    }
}
