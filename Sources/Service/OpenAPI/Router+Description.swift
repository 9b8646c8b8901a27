internal import HTTPServer
internal import Products

extension Router {
    /// A router of these routes, and of one more that describes them all and itself.
    ///
    /// - Parameter observe: see `init(_:observing:)`.
    init(
        describing routes: [DescribedRoute], _ port: PortDescription, wallClock: WallClock,
        observing observe: ((RoutePattern?) -> any RouteObserver)? = nil
    ) {
        let place = DescribedPlace(method: .get, pattern: "/openapi.json", description: DescriptionHandler.description)
        let document = OpenAPIDocument(port, routes.map(\.place) + [place])
        let own = Route(place.method, place.pattern, DescriptionHandler(document, wallClock: wallClock))
        self.init(routes.map(\.route) + [own], observing: observe)
    }
}
