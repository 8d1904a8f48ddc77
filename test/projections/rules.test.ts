// Rules that change under a live board: whatever happens between the slices of a build, and wherever they are cut, the
// board stands as the plain model says, live read models equal those rebuilt from nothing, and a preview tells what
// then happens. A thousand histories and 500 previews: `npm run proof:rules`.

import { proveRules } from './prove-rules.ts'

/** Others each day, told on failure. */
const SEED = Math.floor(Date.now() / 86_400_000) * 1_000

describe('rules that change under a live board', () => {
  it('give what the model gives, and live what is rebuilt, in 40 random histories', () =>
    proveRules({ histories: 40, previews: 0, seed: SEED })).timeout(60_000)

  it('do what was foretold, on 80 random boards', () => proveRules({ histories: 0, previews: 80, seed: SEED })).timeout(
    60_000,
  )
})
