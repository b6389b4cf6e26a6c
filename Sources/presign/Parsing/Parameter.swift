/// One thing that a command takes, as help and usage show it.
struct Parameter {
    enum Kind {
        case flag, option, requiredOption, repeatedOption, word, words
    }

    /// Where help lists options unless told otherwise, and those that every command has.
    static let defaultSection = "Options"

    let kind: Kind
    let name: String
    /// What the value is called.
    let value: String
    let help: String
    /// The title under which help lists it, if it is an option.
    let section: String

    var isOption: Bool { kind != .word && kind != .words }

    var label: String {
        switch kind {
        case .flag: "--\(name)"
        case .option, .requiredOption, .repeatedOption: "--\(name) <\(value)>"
        case .word, .words: "<\(name)>"
        }
    }

    var synopsis: String {
        switch kind {
        case .flag, .option: "[\(label)]"
        case .requiredOption, .word: label
        case .repeatedOption, .words: "[\(label) ...]"
        }
    }
}

/// A call that is not understood.
package struct UsageError: Error {
    let message: String
    /// What it is about, if that needs to be explained.
    let parameter: Parameter?

    /// - Parameter message: one line, without what the usage says anyway.
    package init(_ message: String) { self.init(message, nil) }

    init(_ message: String, _ parameter: Parameter?) {
        self.message = message
        self.parameter = parameter
    }
}
