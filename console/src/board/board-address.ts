// What a leaderboard's page shows, as parameters of its address.

import {
  chosenText,
  flag,
  instant,
  oneOf,
  type Parameter,
  typedText,
  type ValuesOf,
  wholeNumber,
} from '../parameters.ts'

/** Of what a page shows beside the moment: nothing, now, or an instant as ISO 8601. */
const compared = (): Parameter<string> => ({
  ...chosenText(),
  parse: (text) => (text === 'now' || text === '' ? text : instant().parse(text)),
})

export const BOARD = {
  search: typedText(),
  min: typedText(),
  max: typedText(),
  window: oneOf('all', 'hour', 'day', 'week', 'month'),
  /** With a window: ranks the entries of all time that were reached inside it. */
  standing: flag(),
  /** Empty: all time; `current`, or a number. */
  season: chosenText(),
  /** The past instant that is shown; null: now. */
  at: instant(),
  compare: compared(),
  /** Offset of the page of a comparison. */
  offset: wholeNumber(),
  /** Index of the first visible row. */
  first: { ...wholeNumber(), changes: 'typed' } as Parameter<number>,
  /** Id of the entry whose panel is open. */
  row: chosenText(),
  /** `back`: the form of the rules begins with those before the rules in force. */
  rules: oneOf('', 'edit', 'back'),
}

export type BoardShown = ValuesOf<typeof BOARD>
export type ChangeShown = (values: Partial<BoardShown>) => void
