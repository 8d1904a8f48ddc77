// Expressions that a reader has to decode.

/** Ends of regular expressions; `\b` is around each. */
export const PHRASES: readonly string[] = [
  'whoever',
  'whatever becomes of',
  'anew',
  'let(?:s|ting)? go of',
  '(?:is|are|was|were|be|been) told',
  'comes? to nothing',
  'as it were',
  'lies? (?:in|below|beside|under|sealed)',
  'stands? (?:beside|whole)',
  'beats its heart',
  'nobody knows of',
  'mend(?:s|ed|ing)?',
]
