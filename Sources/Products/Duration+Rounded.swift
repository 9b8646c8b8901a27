extension Duration {
    /// The duration as sentences have it, no more exact than anybody cares for: `30s`, `1.5s`, `0.9s`, `50ms`.
    var rounded: String {
        let (seconds, attoseconds) = components
        if seconds >= 10 { return "\(seconds + (attoseconds >= 500_000_000_000_000_000 ? 1 : 0))s" }
        let thousandths = Int((Double(seconds) * 1000 + Double(attoseconds) / 1e15).rounded())
        if (1..<100).contains(thousandths) { return "\(thousandths)ms" }
        let tenths = (thousandths + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10)s" : "\(tenths / 10).\(tenths % 10)s"
    }
}
