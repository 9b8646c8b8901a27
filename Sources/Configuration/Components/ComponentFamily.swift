/// Components that can replace each other, such as providers or stores.
public protocol ComponentFamily: SendableMetatype {
    /// The type of the family's components at run time.
    associatedtype Instance

    /// The name of a member in messages and field types: `provider`.
    static var noun: String { get }

    /// The top-level key under which they are labelled: `providers`.
    static var section: String { get }

    /// Returns the instance for a component: made by `make`, and wrapped where needed, or a replacement.
    static func instance(
        of outline: ComponentOutline, in assembly: Assembly, _ make: () throws -> Instance
    ) throws -> Instance
}

extension ComponentFamily {
    /// The path of the component with this id from its section; for one within another section the whole id.
    static func metricLabel(_ id: String) -> String {
        let prefix = "\(section)."
        return id.hasPrefix(prefix) && id.count > prefix.count ? String(id.dropFirst(prefix.count)) : id
    }
}
