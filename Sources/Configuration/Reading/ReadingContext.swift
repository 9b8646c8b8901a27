/// What all readers of one component share.
final class ReadingContext {
    let resolver: ComponentResolver
    let name: String
    var children: [ComponentOutline.Child] = []
    var variations: [RequestVariation] = []

    init(resolver: ComponentResolver, name: String) {
        self.resolver = resolver
        self.name = name
    }

    var log: DiagnosticLog { resolver.log }
}
