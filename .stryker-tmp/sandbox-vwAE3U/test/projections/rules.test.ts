// Rules that change on a live board: whatever happens between the ranges of a build, and wherever they are cut, the
// board matches the plain model, live views equal rebuilt ones, and a preview predicts what then happens. A thousand
// histories and 500 previews: `npm run proof:rules`.

import { proveRules } from './prove-rules.ts'

/** Different each day, printed on failure. */
const SEED = Math.floor(Date.now() / 86_400_000) * 1_000

describe('rules that change under a live board', () => {
  it('match the model, and live views match rebuilt ones, in 40 random histories', () =>
    proveRules({ histories: 40, previews: 0, seed: SEED })).timeout(60_000)

  it('do what a preview predicted, on 80 random boards', () =>
    proveRules({ histories: 0, previews: 80, seed: SEED })).timeout(60_000)
})
