public import Configuration

extension GenerationArchive {
    /// The archive of a store of a checked config; nil for what is no store that keeps generations.
    public init?(_ outline: ComponentOutline) {
        guard outline.family == StoreFamily.noun, outline.type == JSONFileProductsStore.spec.type,
            let directory = outline.settings.text("directory")
        else { return nil }
        self.init(directory: directory)
    }
}
