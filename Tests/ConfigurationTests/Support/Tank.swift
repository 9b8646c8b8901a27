import Configuration

/// What a source may stand on; instances are told apart by identity.
final class Tank {
    let size: Int
    let inlet: Tank?

    init(size: Int, inlet: Tank? = nil) {
        self.size = size
        self.inlet = inlet
    }
}

enum TankFamily: ComponentFamily {
    typealias Instance = Tank
    static let noun = "tank"
    static let section = "tanks"

    static func adopt(_ instance: Tank, as outline: ComponentOutline, in assembly: Assembly) -> Tank { instance }
}
