import PushModel
import Testing

@Test(
  arguments: [
    ("TRUEPREDICATE", .truePredicate), ("( truepredicate )", .truePredicate),
    ("extensionItems.@count == 1", .predicate), ("FALSEPREDICATE", .predicate), ("", .unreadable),
    ("extensionItems.@count == \"1", .unreadable), ("(extensionItems.@count == 1", .unreadable),
    ("extensionItems.@count ==", .unreadable),
    ("SUBQUERY(NSExtensionItems, $e, $e.attachments.@count == 1).@count == 1", .wrongVariable),
    ("SUBQUERY(extensionItems, $e, $x.attachments.@count == 1).@count == 1", .wrongVariable),
  ] as [(String, ActivationRule.Form)])
func theFormOfAPredicateIsTold(_ text: String, _ form: ActivationRule.Form) {
  #expect(ActivationRule.form(ofPredicate: text) == form)
}
