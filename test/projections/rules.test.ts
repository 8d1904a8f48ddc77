// Rules that change on a live board: whatever happens between the ranges of a build, and wherever they are cut, the
// board matches the plain model, live views equal rebuilt ones, and a preview predicts the result.
// `npm run proof:rules` runs a thousand histories, 500 previews and 200 histories with broken writes.

import { SEED, sized } from '../seeds.ts'
import { proveRules } from './prove-rules.ts'

const [HISTORIES, PREVIEWS, BROKEN] = sized([20, 20, 10], [40, 80, 20])

describe('rule changes on a live board', () => {
  it(`match the model, and live views match rebuilt ones, in ${HISTORIES} random histories`, () =>
    proveRules({ histories: HISTORIES, previews: 0, broken: 0, seed: SEED })).timeout(60_000)

  it(`have the result that a preview predicted, on ${PREVIEWS} random boards`, () =>
    proveRules({ histories: 0, previews: PREVIEWS, broken: 0, seed: SEED })).timeout(60_000)

  it(`end in the same views as a rebuild where writes fail part way, in ${BROKEN} random histories`, () =>
    proveRules({ histories: 0, previews: 0, broken: BROKEN, seed: SEED })).timeout(60_000)
})
