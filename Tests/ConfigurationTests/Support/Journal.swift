/// What happened, in order, for components that are closed one after the other.
actor Journal {
    private(set) var entries: [String] = []

    func note(_ entry: String) {
        entries.append(entry)
    }
}
