/// Every family and type of component that a config may use: a plain value, filled in one place.
public struct ComponentRegistry: Sendable {
    /// The families, in the order of registration.
    public private(set) var families: [RegisteredFamily] = []

    /// Creates an empty registry.
    public init() {}

    /// Adds `specs` to `family`. A type, noun or section that is there already is a programmer error.
    public mutating func register<F: ComponentFamily>(_ family: F.Type, _ specs: [ComponentSpec<F>]) {
        let index = indexOfFamily(family)
        for spec in specs {
            precondition(
                families[index].component(type: spec.type) == nil, "\(F.noun) \"\(spec.type)\" is registered twice")
            families[index].components.append(RegisteredComponent(spec))
        }
    }

    /// The family with this noun.
    public func family(noun: String) -> RegisteredFamily? {
        families.first { $0.noun == noun }
    }

    /// The family that is labelled under this top-level key.
    public func family(section: String) -> RegisteredFamily? {
        families.first { $0.section == section }
    }

    /// Every family that has a component of this type; types are unique within a family only.
    public func families(withType type: String) -> [RegisteredFamily] {
        families.filter { $0.component(type: type) != nil }
    }

    /// The type that a misspelt one was probably meant to be, of whatever family.
    public func type(closestTo name: String) -> String? {
        ClosestName.to(name, among: families.flatMap(\.components).map(\.type))
    }

    func spec<F: ComponentFamily>(_ family: F.Type, type: String) -> ComponentSpec<F>? {
        self.family(noun: F.noun)?.component(type: type)?.spec as? ComponentSpec<F>
    }

    private mutating func indexOfFamily<F: ComponentFamily>(_ family: F.Type) -> Int {
        if let index = families.firstIndex(where: { $0.noun == F.noun && $0.section == F.section }) { return index }
        precondition(
            self.family(noun: F.noun) == nil && self.family(section: F.section) == nil,
            "the noun \(F.noun) or the section \(F.section) belongs to another family")
        families.append(RegisteredFamily(family))
        return families.count - 1
    }
}
