/// Components that can stand for each other, such as providers or stores.
public protocol ComponentFamily: SendableMetatype {
    /// What a component of the family is at run time.
    associatedtype Instance

    /// One of them in messages and field types: `provider`.
    static var noun: String { get }

    /// The top-level key under which they are labelled: `providers`.
    static var section: String { get }
}
