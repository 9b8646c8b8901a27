/// What Google Analytics takes for a name.
struct AnalyticsName: Sendable {
    /// Names of events.
    static let event = AnalyticsName(
        reserved: [
            "app_remove", "app_store_refund", "app_store_subscription_cancel", "app_store_subscription_renew", "click",
            "error", "file_download", "first_open", "first_visit", "form_start", "form_submit", "in_app_purchase",
            "page_view", "scroll", "session_start", "user_engagement", "view_complete", "video_progress",
            "video_start", "view_search_results",
        ])
    /// Names of an event's parameters.
    static let parameter = AnalyticsName(reserved: [])
    /// How many parameters an event may have.
    static let mostParameters = 25
    /// How many characters a parameter's value may have.
    static let longestValue = 100

    private static let longest = 40
    private static let reservedPrefixes = ["_", "firebase_", "ga_", "google_", "gtag."]
    private let reserved: Set<String>

    /// What is wrong with a name; nil for a good one.
    func problem(_ name: String) -> String? {
        if name.count > Self.longest { return "it has more than \(Self.longest) characters" }
        if let prefix = Self.reservedPrefixes.first(where: name.hasPrefix) { return "\"\(prefix)\" is reserved" }
        if reserved.contains(name) { return "it is reserved" }
        let isPlain = name.unicodeScalars.allSatisfy { $0 == "_" || Self.isDigit($0) || Self.isLetter($0) }
        guard let first = name.unicodeScalars.first, Self.isLetter(first), isPlain else {
            return "a name is a letter and then letters, digits and underscores"
        }
        return nil
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
