/// What Google Analytics takes for a name. Whatever has another one it ignores, and answers as if it had not.
public struct GoogleAnalyticsName: Sendable {
    /// Names of events.
    public static let event = GoogleAnalyticsName(reserved: reservedForStreams.union(reservedForProtocol))
    /// Names of an event's parameters.
    public static let parameter = GoogleAnalyticsName(reserved: ["firebase_conversion"])

    private static let longest = 40
    private static let reservedPrefixes = ["_", "firebase_", "ga_", "google_", "gtag."]
    /// What the reports of a web stream keep for their own events.
    private static let reservedForStreams: Set = [
        "app_remove", "app_store_refund", "app_store_subscription_cancel", "app_store_subscription_renew", "click",
        "error", "file_download", "first_open", "first_visit", "form_start", "form_submit", "in_app_purchase",
        "page_view", "scroll", "session_start", "user_engagement", "view_complete", "video_progress",
        "video_start", "view_search_results",
    ]
    /// What the Measurement Protocol takes from nobody.
    private static let reservedForProtocol: Set = [
        "ad_activeview", "ad_click", "ad_exposure", "ad_impression", "ad_query", "ad_reward", "adunit_exposure",
        "app_background", "app_clear_data", "app_exception", "app_store_subscription_convert", "app_update",
        "app_upgrade", "dynamic_link_app_open", "dynamic_link_app_update", "dynamic_link_first_open",
        "firebase_campaign", "notification_dismiss", "notification_foreground", "notification_open",
        "notification_receive", "notification_send", "os_update", "screen_view",
    ]

    private let reserved: Set<String>

    /// What is wrong with a name; nil for a good one.
    public func problem(_ name: String) -> String? {
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
