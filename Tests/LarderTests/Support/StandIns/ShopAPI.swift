/// The API of a shop, as its documentation gives the shape of its answers.
protocol ShopAPI: Sendable {
    /// The name of the example config that is meant for it.
    var name: String { get }
    /// Whether the catalogue comes in more pages than one.
    var isPaged: Bool { get }
    /// What the config needs to be told.
    var variables: [String: String] { get }
    /// What the config needs to be told and nobody may see: what is in the file that a variable names.
    var secrets: [String: String] { get }
    /// Members of its products, at any depth, that are nothing for customers, so that Larder must not serve them.
    var privateMembers: Set<String> { get }
    /// What such an API answers to a request, with these wares on its shelves.
    func answer(to request: StandInRequest, wares: [Ware]) -> StandInAnswer
    /// The product that has to come out of Larder for a ware; nil where the config leaves it out.
    func product(of ware: Ware) -> ListedProduct?
}
