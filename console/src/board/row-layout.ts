// How the rows of a leaderboard fit into a width: as a table, or stacked, with numbers on lines of their own. All rows
// are equally high, because only the visible ones exist.

/** Sizes in rem. */
export interface RowLayout {
  readonly look: '' | 'stacked' | 'stacked tight'
  readonly row: number
  /** Greatest width of a player's name; 0: the rest of the line. */
  readonly name: number
}

/** Characters of the longest score and of the longest secondary score. */
export interface Digits {
  readonly score: number
  readonly secondary: number
}

/** A digit of the widest usual monospace, at the size of numbers in tables. */
const DIGIT = 0.53
const PADDING = 1.5
const RANK = 4.5
const WHEN = 13.5
const ACTIONS = 19.5
const NAME_MIN = 9
const NAME_MAX = 15
/** Characters of the column heads "Score" and "Secondary", and of both as labels. */
const HEADS = { score: 5, secondary: 8 }
const LABELS = 18

const TABLE_ROW = 2.5
/** Heights of lines in stacked rows, as in the style sheet. */
const LINE = 1.25
const ACTIONS_LINE = 2
const STACKED_PADDING = 1

/** `width`: of the place for the rows, in rem. */
export function rowLayout(width: number, { score, secondary }: Digits): RowLayout {
  const numbers = (Math.max(HEADS.score, score) + Math.max(HEADS.secondary, secondary)) * DIGIT + 2 * PADDING
  const others = RANK + PADDING + WHEN + ACTIONS
  const name = width - numbers - others
  if (name >= NAME_MIN) return { look: '', row: TABLE_ROW, name: Math.min(NAME_MAX, name) }
  const lines = LINE * numberLines(width - PADDING, { score, secondary })
  if (width >= others + NAME_MIN) return { look: 'stacked', row: STACKED_PADDING + ACTIONS_LINE + lines, name: 0 }
  return { look: 'stacked tight', row: STACKED_PADDING + LINE + lines + LINE + ACTIONS_LINE, name: 0 }
}

/** Lines that the two numbers with their labels take: together on one, or each on its own. */
function numberLines(width: number, { score, secondary }: Digits): number {
  if (secondary === 0) return linesOf(width, score + HEADS.score + 1)
  if ((score + secondary + LABELS) * DIGIT <= width) return 1
  return linesOf(width, score + HEADS.score + 1) + linesOf(width, secondary + HEADS.secondary + 2)
}

const linesOf = (width: number, characters: number): number => Math.max(1, Math.ceil((characters * DIGIT) / width))
