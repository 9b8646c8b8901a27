/// What an upstream's text did that no text may do: the sentence is for whoever reads the fuzzer's last line.
public struct CatalogueFault: Error, Hashable, CustomStringConvertible {
    /// Which property does not hold, and what was found instead.
    public let description: String

    init(_ property: String, found: some Any) {
        description = "\(property), but found \(found)"
    }
}

/// Throws unless a property holds.
func require(
    _ property: String, _ holds: Bool, found: @autoclosure () -> some Any = "otherwise"
) throws(CatalogueFault) {
    if !holds { throw CatalogueFault(property, found: found()) }
}
