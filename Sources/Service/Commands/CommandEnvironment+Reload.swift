internal import Configuration

extension CommandEnvironment {
    /// Reads the config file at `path` again at each hang-up, with the variables as they were at the start.
    func reloadSource(_ path: String, _ hangUps: HangUps) -> ReloadSource {
        ReloadSource(requests: hangUps.requests) { [variables] () throws(ConfigurationError) in
            try LoadedConfiguration.load(path: path, environment: variables)
        }
    }
}
