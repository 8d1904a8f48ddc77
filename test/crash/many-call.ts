// Random calls with many submissions, some of which are wrong until they are corrected.

import type { Random } from '../random.ts'
import { extraDataOf } from './recorded-answers.ts'

const ROWS_MAX = 12
const WRONG = 0.08
/** Few values, so that many are equal, with halves. */
const SCORES = 8

export interface Row {
  readonly sent: {
    leaderboard: string
    player?: string
    external_id?: string
    score?: string
    readonly extra_data: { readonly row: string }
    readonly idempotency_key?: string
  }
  /** The code of its refusal; null: it is right. */
  wrong: string | null
  correct(): void
  /** Null until it is recorded. */
  answer: string | null
}

export interface ManyCall {
  readonly name: string
  /** The call's own key; null: each row has one. */
  readonly key: string | null
  readonly rows: readonly Row[]
}

/** Under the key of the call, under keys of the rows, or some rows under each. */
export function manyCall(
  random: Random,
  name: string,
  boards: readonly string[],
  players: readonly string[],
): ManyCall {
  const keyedRows = random.pick([0, 0.5, 1])
  const rows = Array.from({ length: 1 + random.below(ROWS_MAX) }, (_, n): Row => {
    const own = random.chance(keyedRows) ? { idempotency_key: `row ${name} ${n}` } : {}
    const right = {
      leaderboard: random.pick(boards),
      player: random.pick(players),
      score: `${random.below(SCORES) / 2}`,
      extra_data: extraDataOf(`${name} ${n}`),
    }
    const row: Row = {
      sent: { ...right, ...own },
      wrong: null,
      correct: () => {
        row.wrong = null
        delete row.sent.external_id
        Object.assign(row.sent, right)
      },
      answer: null,
    }
    if (random.chance(WRONG)) row.wrong = random.pick(WRONGS)(row.sent)
    return row
  })
  return { name: `call ${name}`, key: keyedRows === 1 ? null : `call ${name}`, rows }
}

/** Each makes a row wrong, and returns the code of its refusal. */
const WRONGS: readonly ((sent: Row['sent']) => string)[] = [
  (sent) => {
    sent.score = `x${sent.score}`
    return 'malformed'
  },
  (sent) => {
    delete sent.score
    return 'malformed'
  },
  (sent) => {
    sent.score = '1000.5'
    return 'score_above_maximum'
  },
  (sent) => {
    delete sent.player
    sent.external_id = 'nobody'
    return 'unknown_player'
  },
  (sent) => {
    sent.leaderboard = 'nowhere'
    return 'leaderboard_not_found'
  },
]
