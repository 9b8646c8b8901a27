internal import Configuration

extension ComponentOutline {
    /// The settings that operators are shown. What authenticates shows none.
    var shownSettings: [ComponentSettings.Shown] { family == "auth" ? [] : settings.shown }
}
