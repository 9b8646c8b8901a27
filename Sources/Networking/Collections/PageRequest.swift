/// Which page of a collection is asked for, in the upstream's own terms.
public enum PageRequest: Sendable, Hashable {
    /// The collection's own URL with these parameters, in the place of the template's of the same names.
    case parameters([QueryParameter])
    /// What a link leads to from the page it stood on; it carries its own parameters.
    case link(String)
}
