/// A violated property of a text. The fuzzer prints it as its last line.
public struct CatalogueFault: Error, Hashable, CustomStringConvertible {
    /// The property, and the thing that was found instead.
    public let description: String

    package init(_ property: String, found: some Any) {
        description = "\(property), but found \(found)"
    }
}

/// Throws unless a property holds.
package func require(
    _ property: String, _ holds: Bool, found: @autoclosure () -> some Any = "otherwise"
) throws(CatalogueFault) {
    if !holds { throw CatalogueFault(property, found: found()) }
}
