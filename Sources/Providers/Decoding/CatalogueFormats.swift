internal import Configuration

/// Picks the decoder that a node's configuration asks for.
enum CatalogueFormats {
    /// The mapped format where the field is there, Larder's own where it is not.
    static func decoder(_ reader: FieldReader, _ field: String) -> any CatalogueDecoder {
        guard let mapping = reader.optionalObject(field) else { return NativeCatalogueFormat() }
        return MappedCatalogueFormat(mapping: CatalogueMapping(mapping))
    }
}
