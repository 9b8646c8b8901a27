import ArgumentParser
import Service

/// Runs a command; when it fails, says why in its own words on standard error and exits with 1.
func reporting(_ environment: CommandEnvironment, _ command: () async throws -> Void) async throws {
    do {
        try await command()
    } catch let exit as CommandExit {
        throw ExitCode(exit.status)
    } catch {
        environment.note("\(error)")
        throw ExitCode(1)
    }
}
