import PushModel
import Testing

@Suite struct FunnelTableTests {
  @Test("A banner does not prove that the extension ran; a handler call does")
  func presupposed() {
    var funnel = FunnelTable()
    funnel.add(3, seen: [.presented], group: .rich)
    funnel.add(2, seen: [.modified], group: .rich)
    funnel.add(1, seen: [.modified, .presented], group: .rich)
    funnel.add(4, seen: [.sent], group: .rich)
    #expect(funnel.row(.sent, .rich).shown == 10)
    #expect(funnel.row(.received, .rich).shown == 6)
    #expect(funnel.row(.extensionRan, .rich).shown == 3)
    #expect(funnel.row(.modified, .rich).shown == 3)
    #expect(funnel.row(.presented, .rich).shown == 4)
    #expect(funnel.row(.modified, .rich).last == 2)
    #expect(funnel.total(.rich) == 10)
    #expect(funnel.total(.plain) == 0)
  }

  @Test("Meanings fall into the groups of reports")
  func groups() {
    #expect(MeantGroup(kind: .richAlert, meaning: [.plain]) == .plain)
    #expect(MeantGroup(kind: .richAlert, meaning: [.plain, .sound]) == .plain)
    #expect(MeantGroup(kind: .richAlert, meaning: [.media]) == .rich)
    #expect(MeantGroup(kind: .background, meaning: [.silent]) == .silent)
    #expect(MeantGroup(kind: .voip, meaning: [.call]) == .other)
  }
}
