/// The compiler that made the program, as far as a program can know.
enum SwiftVersion {
    #if compiler(>=6.5)
        static let current = "6.5 or later"
    #elseif compiler(>=6.4)
        static let current = "6.4"
    #elseif compiler(>=6.3.1)
        static let current = "6.3.1"
    #else
        static let current = "6.3"
    #endif
}
