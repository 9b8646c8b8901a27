internal import Configuration

/// Picks the decoder that a node's configuration asks for.
enum CatalogueFormats {
    /// Larder's own format, unless the field is there and asks for more than a policy about unknown kinds.
    static func decoder(_ reader: FieldReader, _ field: String) -> any CatalogueDecoder {
        guard let inner = reader.optionalObject(field) else { return NativeCatalogueFormat() }
        let mapping = CatalogueMapping(inner)
        let isNative = mapping.keepsItems && mapping.items == nil && mapping.onBadItem == .reject
        return isNative && mapping.attributes == .keep
            ? NativeCatalogueFormat(unknownKinds: mapping.unknownKinds) : MappedCatalogueFormat(mapping: mapping)
    }
}
