/// The currencies of the stand-in's prices, which have different numbers of digits.
enum CommercetoolsCurrency: String, CaseIterable, Sendable {
    case euro = "EUR"
    case yen = "JPY"
    case dinar = "KWD"

    /// How many digits the minor unit has.
    var digits: Int {
        switch self {
        case .euro: 2
        case .yen: 0
        case .dinar: 3
        }
    }
}
