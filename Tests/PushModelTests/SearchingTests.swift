import PushModel
import Testing

@Suite struct SearchingTests {
  /// Against looking at each place in turn, for every count up to 20 and every place in it.
  @Test func theFirstPlaceIsThatOfALinearSearch() {
    for count in 0...20 {
      for border in 0...count {
        #expect((0..<count).firstPlace { $0 < border } == border)
        #expect((7..<7 + count).firstPlace { $0 < 7 + border } == 7 + border)
      }
    }
  }
}
