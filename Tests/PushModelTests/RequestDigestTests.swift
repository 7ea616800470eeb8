import PushModel
import Testing

@Suite struct RequestDigestTests {
  @Test(
    "worked values of F11.6, and of an id seen in a public log",
    arguments: [
      ("order-4711", "0319-FF7A"),
      ("5d1d7d1e-8c5b-4c35-9a0c-2f0e5b7f9a10", "2778-7239"),
      ("5D1D7D1E-8C5B-4C35-9A0C-2F0E5B7F9A10", "EF8A-4E26"),
      ("1", "356A-192B"), ("order-48213", "DC15-EBDB"), ("order-48213-status", "4A4F-8479"),
      // FIPS 180: the digest of no bytes begins DA39A3EE, that of the 448-bit message 84983E44.
      ("", "DA39-A3EE"),
      ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "8498-3E44"),
    ])
  func worked(_ identifier: String, _ digest: String) {
    #expect(RequestDigest.text(of: identifier) == digest)
  }

  @Test("what is a short id and what is not")
  func form() {
    #expect(RequestDigest.isDigest("DC15-EBDB"))
    for text in ["dc15-ebdb", "DC15EBDB", "DC15-EBD", "DC15-EBDBA", "DC15-EBDG", ""] {
      #expect(!RequestDigest.isDigest(text))
    }
  }
}
