import Presigning

/// The words after a command's name.
///
/// A command declares what it takes by reading it: each call takes the words of one parameter out, wherever they stand,
/// and remembers what help says of it. What is left in the end is a mistake. Mistakes are kept until everything has been
/// read, since help wants to know of every parameter; until then a value that is missing reads as an empty one.
package struct Arguments {
    private struct Word {
        let text: String
        /// It stands after `--`, so it is no option.
        let isLiteral: Bool

        var isOption: Bool { !isLiteral && text.utf8.count > 1 && text.utf8.first == UInt8(ascii: "-") }
    }

    /// What was declared, in that order.
    private(set) var parameters: [Parameter] = []
    /// The title under which help lists the options that are declared from here on.
    package var section = Parameter.defaultSection

    /// What no parameter has taken.
    private var words: [Word]
    /// The first thing that was said wrongly, and the first that was not said.
    private var mistake: UsageError?
    private var omission: UsageError?

    /// - Parameter words: as the shell passed them.
    init(_ words: some Sequence<String>) {
        self.words = []
        var isLiteral = false
        for text in words {
            if text == "--", !isLiteral {
                isLiteral = true
            } else {
                self.words.append(Word(text: text, isLiteral: isLiteral))
            }
        }
    }

    /// Whether one of these words is there and may be an option.
    func has(_ names: String...) -> Bool {
        words.contains { $0.isOption && names.contains($0.text) }
    }

    /// `--name`.
    package mutating func flag(_ name: String, help: String) -> Bool {
        let parameter = declare(.flag, name, help: help)
        var isGiven = false
        while let (_, value) = take(parameter) {
            isGiven = true
            if let value {
                refuse("The option '\(parameter.label)' does not take any value, but '\(value)' was specified.")
            }
        }
        return isGiven
    }

    /// `--name VALUE`; the last one counts.
    ///
    /// - Parameter value: what help calls the value; when nil, the name.
    package mutating func option(_ name: String, _ value: String? = nil, help: String) -> String? {
        values(of: declare(.option, name, value, help: help)).last
    }

    /// `--name VALUE`, which must be there.
    package mutating func requiredOption(_ name: String, help: String) -> String {
        let parameter = declare(.requiredOption, name, help: help)
        return values(of: parameter).last ?? missing(parameter)
    }

    /// `--name VALUE`, as often as wanted.
    package mutating func options(_ name: String, _ value: String, help: String) -> [String] {
        values(of: declare(.repeatedOption, name, value, help: help))
    }

    /// `--name NUMBER`, in decimal.
    package mutating func number(_ name: String, help: String) -> Int64? {
        let parameter = declare(.option, name, help: help)
        return values(of: parameter).map { converted($0, Int64($0), parameter) }.last ?? nil
    }

    /// `--name VALUE`, one of the cases.
    package mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, help: String
    ) -> Value? {
        let parameter = declare(.option, name, help: help)
        let names = Value.allCases.map { "'\($0.rawValue)'" }
        let hint = ". Please provide one of \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")."
        return values(of: parameter).map { converted($0, Value(rawValue: $0), parameter, hint) }.last ?? nil
    }

    /// The next word that belongs to no option; after every option has been declared.
    package mutating func word(_ name: String, help: String) -> String {
        let parameter = declare(.word, name, help: help)
        guard let index = words.firstIndex(where: { !$0.isOption }) else { return missing(parameter) }
        return words.remove(at: index).text
    }

    /// All words that belong to no option; after every option has been declared.
    package mutating func words(_ name: String, help: String) -> [String] {
        _ = declare(.words, name, help: help)
        defer { words.removeAll { !$0.isOption } }
        return words.filter { !$0.isOption }.map(\.text)
    }

    /// Throws what was wrong, or what nothing took, or what is missing.
    func finish() throws(UsageError) {
        if let mistake { throw mistake }
        if let word = words.first {
            throw UsageError("\(word.isOption ? "Unknown option" : "Unexpected argument") '\(word.text)'")
        }
        if let omission { throw omission }
    }

    private mutating func declare(
        _ kind: Parameter.Kind, _ name: String, _ value: String? = nil, help: String
    ) -> Parameter {
        let parameter = Parameter(kind: kind, name: name, value: value ?? name, help: help, section: section)
        // A word that was read before would have taken the option's value.
        precondition(!parameter.isOption || parameters.allSatisfy(\.isOption), "options are declared before words")
        parameters.append(parameter)
        return parameter
    }

    /// Takes the first `--name` or `--name=VALUE` out.
    ///
    /// - Returns: where it stood, and the value that was joined to it.
    private mutating func take(_ parameter: Parameter) -> (index: Int, value: String?)? {
        let name = "--" + parameter.name
        for (index, word) in words.enumerated() where word.isOption {
            let equals = word.text.utf8.firstIndex(of: UInt8(ascii: "="))
            guard word.text[..<(equals ?? word.text.endIndex)] == name else { continue }
            words.remove(at: index)
            return (index, equals.map { String(word.text[word.text.utf8.index(after: $0)...]) })
        }
        return nil
    }

    private mutating func values(of parameter: Parameter) -> [String] {
        var values: [String] = []
        while let (index, joined) = take(parameter) {
            if let joined, !joined.isEmpty {
                values.append(joined)
            } else if joined == nil, index < words.count, !words[index].isLiteral, !words[index].isOption {
                values.append(words.remove(at: index).text)
            } else {
                refuse("Missing value for '\(parameter.label)'", parameter)
            }
        }
        return values
    }

    private mutating func converted<Value>(
        _ text: String, _ value: Value?, _ parameter: Parameter, _ hint: String = ""
    ) -> Value? {
        if value == nil { refuse("The value '\(text)' is invalid for '\(parameter.label)'\(hint)", parameter) }
        return value
    }

    private mutating func refuse(_ message: String, _ parameter: Parameter? = nil) {
        mistake = mistake ?? UsageError(message, parameter)
    }

    private mutating func missing(_ parameter: Parameter) -> String {
        omission = omission ?? UsageError("Missing expected argument '\(parameter.label)'", parameter)
        return ""
    }
}
