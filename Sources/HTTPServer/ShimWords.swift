/// Words that a function of the shim writes into memory that it is given.
enum ShimWords {
    /// What the call leaves there: a text with a NUL behind it, or nothing.
    static func written(by call: (UnsafeMutablePointer<CChar>, Int) -> Void) -> String {
        unsafe String(unsafeUninitializedCapacity: 160) { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text in
                guard let start = text.baseAddress else { return 0 }
                unsafe start[0] = 0
                unsafe call(start, text.count)
                return unsafe text.firstIndex(of: 0) ?? 0
            }
        }
    }
}
