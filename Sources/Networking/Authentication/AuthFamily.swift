public import Configuration

/// The `auths:` section: ways to prove to upstreams who asks.
public enum AuthFamily: ComponentFamily {
    /// A way to do it.
    public typealias Instance = any Authentication
    /// One of them in messages.
    public static let noun = "auth"
    /// Where they are labelled.
    public static let section = "auths"

    /// Every auth a config file can name.
    public static let specs: [ComponentSpec<AuthFamily>] = [
        BearerAuthentication.spec, BasicAuthentication.spec, HeaderAuthentication.spec,
    ]
}
