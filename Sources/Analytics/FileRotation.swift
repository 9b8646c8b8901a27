internal import FileSystem

/// How a file is moved aside, and those that were moved before it: `f` becomes `f.1`, `f.1` becomes `f.2`, ….
struct FileRotation: Sendable {
    let path: String
    /// How many rotated files stay.
    let keep: Int
    /// The highest number that a rotated file may have.
    let highestNumber: Int

    /// Moves the file aside. Those beyond `keep`, which may have been more once, go.
    ///
    /// - Throws: what kept the file from being moved. It has all its lines then, and so have the others.
    func run() throws(FileSystemError) {
        if keep > 0 {
            try makeRoom()
            try Files.rename(path, to: "\(path).1")
        } else {
            try Files.remove(path)
        }
        for number in numbers() where number > keep { try? Files.remove("\(path).\(number)") }
    }

    /// Moves files one number up as far as is needed for the first one to be free. A try after one that got no further
    /// finds it free, and moves none.
    private func makeRoom() throws(FileSystemError) {
        let free = (1...keep).first { !Files.exists("\(path).\($0)") } ?? keep
        for number in stride(from: free - 1, through: 1, by: -1) {
            try Files.rename("\(path).\(number)", to: "\(path).\(number + 1)")
        }
    }

    /// The numbers of the files that are there, as far as that can be told. A number that rotation does not give, such
    /// as a date, is somebody else's.
    private func numbers() -> [Int] {
        let prefix = "\(path.split(separator: "/").last ?? "")."
        let names = (try? Files.list(Files.parent(of: path))) ?? []
        return names.compactMap { name in
            guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)),
                name == "\(prefix)\(number)", (1...highestNumber).contains(number)
            else { return nil }
            return number
        }
    }
}
