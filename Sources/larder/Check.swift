import ArgumentParser
import Service

struct Check: Command {
    static let configuration = CommandConfiguration(abstract: "Checks a config file.")

    @OptionGroup var options: ConfigOption

    @Flag(help: "Treats warnings as errors.")
    var strict = false

    func run(in environment: CommandEnvironment) throws {
        let path = options.path(in: environment)
        let warnings = try environment.load(path).warnings.count
        guard warnings == 0 || !strict else {
            throw CommandFailure("\(path): \(warnings) \(warnings == 1 ? "warning" : "warnings")")
        }
        try environment.print("\(path): ok\n")
    }
}
