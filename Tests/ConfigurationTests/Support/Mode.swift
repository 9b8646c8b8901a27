enum Mode: String, CaseIterable {
    case onDemand = "on_demand"
    case background
}
