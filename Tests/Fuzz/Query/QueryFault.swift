/// A violated property of a query. The fuzzer prints the sentence as its last line.
public struct QueryFault: Error, Hashable, CustomStringConvertible {
    /// Which property does not hold, and what was found instead.
    public let description: String

    init(_ property: String, found: some Any) {
        description = "\(property), but found \(found)"
    }
}

/// Throws unless a property holds.
func require(
    _ property: String, _ holds: Bool, found: @autoclosure () -> some Any = "otherwise"
) throws(QueryFault) {
    if !holds { throw QueryFault(property, found: found()) }
}
