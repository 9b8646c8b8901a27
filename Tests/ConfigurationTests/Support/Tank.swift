import Configuration

/// What a source may stand on; instances are told apart by identity.
final class Tank {
    let size: Int

    init(size: Int) {
        self.size = size
    }
}

enum TankFamily: ComponentFamily {
    typealias Instance = Tank
    static let noun = "tank"
    static let section = "tanks"
}
