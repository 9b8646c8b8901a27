public import Products

/// What keeps products over a restart: a saver from which the last saved snapshot can be had again.
public protocol ProductsStore: ProductsProvider, ProductsSaver {}
