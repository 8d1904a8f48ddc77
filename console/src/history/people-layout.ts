// How the sentences of the history fit into their rows, all of which have the same height.

import type { GameEvent } from '../api.ts'
import { rulesIn } from '../board/use-rules.ts'
import { stackedBelow } from '../components/virtual-table.tsx'
import { textIn } from './event-fields.ts'

/** Characters of a number that fits beside three names on one line. */
const SHORT_MAX = 16
/** Widths in rem: of a digit, and of names and words around the numbers. */
const [DIGIT, WORDS] = [0.56, 60]
/** Heights in rem: of a line, and of the time below the sentence with the space around both. */
const [LINE, BELOW] = [1.375, 2.25]

/** Characters of the numbers in the sentence of an event, at most: grouping adds a third. */
function digitsOf(event: Pick<GameEvent, 'type' | 'data'>): number {
  const rules = event.type === 'LeaderboardRulesRequested' ? rulesIn(event) : null
  const numbers = [textIn(event.data, 'score'), rules?.min_score, rules?.max_score]
  return Math.ceil(numbers.reduce((sum, one) => sum + ((one?.length ?? 0) * 4) / 3, 0))
}

/** The longest numbers of all sentences. */
export const longestDigits = (events: readonly Pick<GameEvent, 'type' | 'data'>[]): number =>
  events.reduce((most, event) => Math.max(most, digitsOf(event)), 0)

/** No number is cut: where one is long, every row has the lines that it needs. `width`: in rem. */
export function peopleLayout(digits: number, width: number) {
  if (digits <= SHORT_MAX) return stackedBelow(40, 'people-stacked', 5)(width)
  const lines = 1 + Math.ceil((WORDS + digits * DIGIT) / (width - 1.5))
  return { look: 'people-stacked people-long', row: lines * LINE + BELOW, name: 0 }
}
