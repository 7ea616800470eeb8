/// Reads the words after a command's name.
///
/// Options and arguments may come in any order; `--` ends the options. Of an option that is given
/// twice and takes one value, the last one counts, so that an alias can be overruled.
func parseArguments<Options: Subcommand>(
  _ words: [String], _ row: CommandRow<Options>
) throws(UsageProblem) -> Options {
  var options = Options()
  var arguments: [String] = []
  var index = words.startIndex
  var optionsEnded = false

  while index < words.endIndex {
    let word = words[index]
    index += 1
    if optionsEnded || isValue(word) {
      arguments.append(word)
      continue
    }
    if word == "--" {
      optionsEnded = true
      continue
    }
    let typed = TypedOption(word)
    guard let match = typed.match(in: row.options) else {
      throw .unknownOption(typed.name, candidates: row.options.map(\.shape.typed) + ["--help"])
    }
    let shape = match.row.shape
    if shape.placeholder == nil {
      if let value = typed.value { throw .unexpectedValue(typed.name, value) }
      _ = match.row.assign(&options, match.isNegated ? "false" : "true")
      continue
    }
    let value: String
    if let attached = typed.value {
      value = attached
    } else if index < words.endIndex, isValue(words[index]) {
      value = words[index]
      index += 1
    } else {
      throw .missingValue(shape.display)
    }
    guard match.row.assign(&options, value) else {
      throw .invalidValue(value, of: shape.display, shape.expectation)
    }
  }

  try assign(arguments, to: &options, row)
  try options.check()
  return options
}

/// Whether a word is no option. None begins with a digit: a hyphen and a digit are a negative number,
/// such as an error code, or a zone west of UTC.
private func isValue(_ word: String) -> Bool {
  !word.hasPrefix("-") || word == "-" || word.dropFirst().first?.isASCIIDigit == true
}

private func assign<Options: Subcommand>(
  _ arguments: [String], to options: inout Options, _ row: CommandRow<Options>
) throws(UsageProblem) {
  var rest = arguments[...]
  for argument in row.arguments {
    let shape = argument.shape
    guard let first = rest.first else {
      if shape.count == .atMostOne { continue }
      throw .missingArgument("<\(shape.placeholder)>")
    }
    let taken = shape.count == .oneOrMore ? rest : [first]
    for text in taken where !argument.assign(&options, text) {
      throw .invalidValue(text, of: "<\(shape.placeholder)>", shape.expectation)
    }
    rest = rest.dropFirst(taken.count)
  }
  if let extra = rest.first { throw .unexpectedArgument(extra) }
}

/// An option as typed, split at its first `=`.
private struct TypedOption {
  /// With its hyphens.
  var name: String
  var value: String?

  init(_ word: String) {
    if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
      name = String(word[..<equals])
      value = String(word[word.index(after: equals)...])
    } else {
      name = word
    }
  }

  func match<Options>(
    in rows: [OptionRow<Options>]
  ) -> (row: OptionRow<Options>, isNegated: Bool)? {
    for row in rows {
      if name == "--\(row.shape.name)" { return (row, false) }
      if let letter = row.shape.letter, name == "-\(letter)" { return (row, false) }
      if row.shape.placeholder == nil, name == "--no-\(row.shape.name)" { return (row, true) }
    }
    return nil
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
