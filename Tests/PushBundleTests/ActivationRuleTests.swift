import PushBundle
import PushModel
import PushSimulator
import Testing

/// Rules as they stand in public projects' plists by their form, and what is wrong with others.
private let rules: [(rule: PlistPart, expected: String?)] = [
  ("TRUEPREDICATE", "TRUEPREDICATE"),
  ("(TRUEPREDICATE)", "TRUEPREDICATE"),
  ("FALSEPREDICATE", "Nothing can fulfil"),
  (
    """
    SUBQUERY(extensionItems, $e, SUBQUERY($e.attachments, $a, ANY $a.registeredTypeIdentifiers \
    UTI-CONFORMS-TO "public.url").@count == 1).@count == 1
    """, nil
  ),
  (
    """
    SUBQUERY(extensionItems, $e, SUBQUERY($e.attachments, $a, (ANY $a.registeredTypeIdentifiers \
    UTI-CONFORMS-TO "public.movie" AND NOT (ANY $a.registeredTypeIdentifiers UTI-EQUALS \
    "public.image"))).@count == $e.attachments.@count).@count > 0
    """, nil
  ),
  ("extensionItems.@count <= 5 && extensionItems.@count >= 1", nil),
  ("extensionItems.@count < 1 && extensionItems.@count > 0", "Nothing can fulfil"),
  ("max({1, extensionItems.@count}) == 1 AND now() != nil", nil),
  ("extensionItems.@count == 1 OR extensionItems.@count == 2", nil),
  ("extensionItems.@count == 1.5", "Nothing can fulfil"),
  ("extensionItems.@count == 1 AND", "'the end'"),
  ("extensionItems.@count = ", "'the end'"),
  ("SUBQUERY(extensionItems, $e, $x.attachments.@count == 1).@count == 1", "declares '$x'"),
  ("SUBQUERY(extensionItems, e, TRUEPREDICATE).@count == 1", "'e'"),
  ("NSExtensionItems.@count == 1", "'NSExtensionItems' does not exist"),
  ("SUBQUERY(extensionItems, $e, $e.title == \"a).@count == 1", "quote at character 42"),
  ("SUBQUERY(extensionItems, $e, ($e.attachments.@count == 1).@count == 1", "bracket"),
  ("extensionItems.@count == 1)", "')'"),
  ("", "'the end'"),
  (["NSExtensionActivationSupportsText": true], nil),
  (["NSExtensionActivationSupportsText": "YES"], "is a string"),
  (["NSExtensionActivationSupportsImageWithMaxCount": true], "is a Boolean"),
  (
    [
      "NSExtensionActivationSupportsImageWithMaxCount": 3,
      "NSExtensionActivationSupportsAttachmentsWithMinCount": 4,
      "NSExtensionActivationSupportsAttachmentsWithMaxCount": 3,
    ], "Nothing can fulfil"
  ),
  (
    [
      "NSExtensionActivationSupportsImageWithMaxCount": 3,
      "NSExtensionActivationDictionaryVersion": 3,
    ], "is 3"
  ),
  ([:], "Nothing can fulfil"),
  (["x"], "an array"),
]

@Test(arguments: rules.indices)
func anActivationRuleIsJudged(_ number: Int) throws {
  let (rule, expected) = rules[number]
  var sample = SampleApp()
  sample.setRule(rule)
  let sentences = try sample.findings().map(\.sentence)
  if let expected {
    #expect(sentences.count == 1, "\(rule)")
    #expect(sentences.first?.contains(expected) == true, "\(sentences)")
  } else {
    #expect(sentences.isEmpty, "\(rule): \(sentences)")
  }
}

@Test func aPredicateIsAtTheMercyOfNobody() throws {
  let deep = String(repeating: "(", count: 50_000)
  let nots = String(repeating: "NOT ", count: 50_000)
  for text in [
    deep, nots + "TRUEPREDICATE", deep + "extensionItems.@count == 1", "{{{{", "\"", "$",
  ] {
    var sample = SampleApp()
    sample.setRule(.text(text))
    #expect(try sample.findings().map(\.cause) == [.activationPredicateMalformed])
  }
}
