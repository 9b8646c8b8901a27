extension [HTTPHeader] {
    /// Adds headers in the place of those of the same names.
    mutating func replace(with headers: [HTTPHeader]) {
        let names = Set(headers.map { $0.name.lowercased() })
        removeAll { names.contains($0.name.lowercased()) }
        append(contentsOf: headers)
    }
}
