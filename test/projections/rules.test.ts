// Rules that change on a live board: whatever happens between the ranges of a build, and wherever they are cut, the
// board matches the plain model, live views equal rebuilt ones, and a preview predicts the result.
// `npm run proof:rules` runs a thousand histories and 500 previews.

import { SEED, sized } from '../seeds.ts'
import { proveRules } from './prove-rules.ts'

const [HISTORIES, PREVIEWS] = sized([10, 20], [40, 80])

describe('rule changes on a live board', () => {
  it(`match the model, and live views match rebuilt ones, in ${HISTORIES} random histories`, () =>
    proveRules({ histories: HISTORIES, previews: 0, seed: SEED })).timeout(60_000)

  it(`have the result that a preview predicted, on ${PREVIEWS} random boards`, () =>
    proveRules({ histories: 0, previews: PREVIEWS, seed: SEED })).timeout(60_000)
})
