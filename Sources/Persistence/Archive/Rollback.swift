public import Products

/// What going back to an older generation came to.
public enum Rollback: Sendable {
    /// A new generation has the products of an older one.
    case written(Int, from: Int, ProductsSnapshot)
    /// Nothing was written: the newest generation that can be used has these products already.
    case unneeded(newest: Int)
}
