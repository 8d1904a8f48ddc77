// How the rows of a leaderboard fit into a width: as a table, as two lines, or with each number on lines of its own.
// All rows are equally high, because only the visible ones exist.

/** Sizes in rem. */
export interface RowLayout {
  readonly look: '' | 'stacked' | 'stacked final-below' | 'stacked many-lines'
  readonly row: number
  /** Greatest width of a player's name; 0: the rest of the line. */
  readonly name: number
}

/** Characters of the longest score, secondary score and final rank, as they are shown; 0: no row has one. */
export interface Digits {
  readonly score: number
  readonly secondary: number
  readonly finalRank: number
}

/** A digit of the widest usual monospace, at the size of numbers in tables. */
const DIGIT = 0.53
const PADDING = 1.5
const RANK = 4.5
const FINAL_RANK = 6.5
const WHEN = 13.5
const MORE = 4
const NAME_MIN = 9
const NAME_MAX = 20
/** Characters of the column heads "Score" and "Secondary". */
const HEADS = { score: 5, secondary: 9 }

const TABLE_ROW = 2.5
/** Of stacked rows, as in the style sheet. */
const LINE = 1.25
const STACKED_PADDING = 1
const GAP = 0.5
const STACKED_RANK = 2.5
const STACKED_MORE = 2
const STACKED_NAME_MIN = 5
/** The second line is in the small size. */
const STACKED_WHEN = 5.5
const SMALL_DIGIT = 0.49
const SECONDARY_LABEL = 4.8
const FINAL_LABEL = 4.8

/** `width`: of the place for the rows, in rem. `hasFinalRanks`: whether the rows have a final rank. */
export function rowLayout(width: number, digits: Digits, hasFinalRanks = false): RowLayout {
  const { score, secondary, finalRank } = digits
  const numbers = (Math.max(HEADS.score, score) + Math.max(HEADS.secondary, secondary)) * DIGIT + 2 * PADDING
  const name = width - numbers - RANK - (hasFinalRanks ? FINAL_RANK : 0) - PADDING - WHEN - MORE
  if (name >= NAME_MIN) return { look: '', row: TABLE_ROW, name: Math.min(NAME_MAX, name) }
  const inner = width - PADDING
  const beside = inner - STACKED_RANK - STACKED_MORE - 2 * GAP
  const first = STACKED_NAME_MIN + GAP + score * DIGIT
  const second = secondary === 0 ? STACKED_WHEN : dated(SECONDARY_LABEL, secondary)
  if (Math.max(first, second) <= beside) {
    const isFinalBelow = hasFinalRanks && (secondary > 0 || dated(FINAL_LABEL, finalRank) > beside)
    if (isFinalBelow) return { look: 'stacked final-below', row: STACKED_PADDING + 3 * LINE, name: 0 }
    return { look: 'stacked', row: STACKED_PADDING + 2 * LINE, name: 0 }
  }
  const own = inner - STACKED_RANK - GAP
  const lines =
    linesOf(own, labelled('score', digits)) + (secondary === 0 ? 0 : linesOf(own, labelled('secondary', digits)))
  return { look: 'stacked many-lines', row: STACKED_PADDING + (2 + (hasFinalRanks ? 1 : 0) + lines) * LINE, name: 0 }
}

/** Width of a second line: the date, and a number of so many characters with its label. */
const dated = (label: number, characters: number): number => STACKED_WHEN + GAP + label + characters * SMALL_DIGIT

/** Characters of a number with its label. */
const labelled = (number: 'score' | 'secondary', digits: Digits): number => digits[number] + HEADS[number] + 1

const linesOf = (width: number, characters: number): number => Math.max(1, Math.ceil((characters * DIGIT) / width))
