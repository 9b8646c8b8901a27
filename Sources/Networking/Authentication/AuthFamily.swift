public import Configuration

/// The `auths:` section: ways to prove to upstreams who asks.
public enum AuthFamily: ComponentFamily {
    /// A way to do it.
    public typealias Instance = any Authentication
    /// One of them in messages.
    public static let noun = "auth"
    /// Where they are labelled.
    public static let section = "auths"
    /// A credential reads its secret before each request anyway.
    public static let isTakenOver = false

    /// Every auth a config file can name.
    public static let specs: [ComponentSpec<AuthFamily>] = [
        BearerAuthentication.spec, BasicAuthentication.spec, HeaderAuthentication.spec,
    ]

    /// Used as it was made.
    public static func adopt(_ instance: any Authentication, as outline: ComponentOutline, in assembly: Assembly)
        -> any Authentication
    {
        instance
    }
}
