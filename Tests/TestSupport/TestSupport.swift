// helpers
