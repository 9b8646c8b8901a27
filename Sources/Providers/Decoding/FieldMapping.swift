public import JSON

/// Where the value of one of our members is in somebody else's item.
public struct FieldMapping: Sendable, Hashable {
    /// Our member.
    public var ours: JSONPath
    /// Theirs; of several, the first counts that is there and not null, nor an empty string where a number is wanted.
    public var theirs: PathAlternatives
    /// How a number in minor units becomes ours.
    public var scale: FieldScale?
    /// What ours is when theirs says nothing; in our units.
    public var fallback: JSONValue?

    /// Makes a mapping of one member.
    public init(ours: JSONPath, theirs: PathAlternatives, scale: FieldScale? = nil, fallback: JSONValue? = nil) {
        self.ours = ours
        self.theirs = theirs
        self.scale = scale
        self.fallback = fallback
    }

    /// Makes a mapping of one member that can be in one place only.
    public init(ours: JSONPath, theirs: JSONPath, scale: FieldScale? = nil, fallback: JSONValue? = nil) {
        self.init(ours: ours, theirs: PathAlternatives(theirs), scale: scale, fallback: fallback)
    }
}
