/// The least version of TLS that clients have to speak. The raw value is the spelling in config files.
public enum TLSVersion: String, Sendable, Hashable, CaseIterable {
    case v12 = "1.2"
    case v13 = "1.3"
}
