extension ComponentFamily {
    /// What metrics call the component with this id: its label in the config file; for one that stands within another
    /// the way to it from there, such as `storefront.upstream`. What stands within another section has the whole id.
    public static func metricLabel(_ id: String) -> String {
        let prefix = "\(section)."
        return id.hasPrefix(prefix) && id.count > prefix.count ? String(id.dropFirst(prefix.count)) : id
    }
}
