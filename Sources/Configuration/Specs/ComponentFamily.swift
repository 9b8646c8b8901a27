/// Components that can stand for each other, such as providers or stores.
public protocol ComponentFamily: SendableMetatype {
    /// What a component of the family is at run time.
    associatedtype Instance

    /// One of them in messages and field types: `provider`.
    static var noun: String { get }

    /// The top-level key under which they are labelled: `providers`.
    static var section: String { get }

    /// Whether a reload takes a component over as it is when nothing about it, or about what it is built on, has
    /// changed: true for what holds files, queues or knowledge of the world.
    static var isTakenOver: Bool { get }

    /// Asked before a component is made; what it gives back is used in the component's place, which is not made then.
    static func standIn(in assembly: Assembly) -> Instance?

    /// Called with each component when it has just been made; what it gives back is used in the component's place.
    static func adopt(_ instance: Instance, as outline: ComponentOutline, in assembly: Assembly) -> Instance
}

extension ComponentFamily {
    /// None.
    public static func standIn(in assembly: Assembly) -> Instance? { nil }
}
