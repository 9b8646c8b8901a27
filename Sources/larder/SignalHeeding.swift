import ArgumentParser

/// A command that watches for signals by itself, from the first moment of the process to its end.
protocol SignalHeeding: AsyncParsableCommand {}
