// The expected boards after all submissions, and the boards as they are answered, page by page.

import type { Answered, Body } from '../front-door/http-client.ts'
import { must, type World } from '../front-door/world.ts'
import { canonical, scaled } from '../model/big-decimal.ts'
import { pause } from '../until.ts'
import type { Submission } from './load.ts'

const PAGE = 100
/** A board without load that is answered with 503 for longer counts as unreadable. */
const READABLE_WITHIN_MS = 60_000
const RETRY_EVERY_MS = 50

interface Row {
  readonly id: string
  readonly player: string
  readonly score: string
  readonly updated: string
  readonly rank: number
  /** Number of the shown submission among those of the board, in the order of the log. */
  readonly place: number
}

/** An entry as it is read under load: nobody knows where in the log its submission is. */
type ReadRow = Omit<Row, 'place'>

/** Every entry of a board, best first. */
export async function readBoard(
  world: World,
  token: string,
  board: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Row[]> {
  const read = async (path: string) => must(await atRest(() => world.call('GET', path, { token, headers })), 200)
  const rows: ReadRow[] = []
  for (;;) {
    const page: Body = await read(`/api/lb/${board}/score/?limit=${PAGE}&offset=${rows.length}`)
    rows.push(...page.scores)
    if (page.next_offset === null) break
  }
  const { game, unique, keep } = await read(`/api/lb/${board}/`)
  const history = await atRest(() => world.call('GET', `/api/gm/${game}/events/?board=${board}`, { token, headers }))
  const shownBy = ({ id, player, updated, score }: Pick<Row, 'id' | 'player' | 'updated' | 'score'>) => {
    if (!unique) return id
    return keep === 'total' ? `${player} ${updated}` : `${player} ${updated} ${score}`
  }
  const places = new Map<string, number>()
  const latest = new Map<string, string>()
  for (const [place, line] of history.text.trim().split('\n').entries()) {
    const { type, time, data, meta } = JSON.parse(line)
    if (type !== 'ScoreSubmitted') continue
    const shown = shownBy({ id: data.id, player: meta.player, updated: time, score: data.score })
    if (keep === 'best') {
      // An equal score replaces nothing: the first one is shown.
      if (!places.has(shown)) places.set(shown, place)
    } else {
      places.delete(latest.get(meta.player) ?? '')
      latest.set(meta.player, shown)
      places.set(shown, place)
    }
  }
  return rows.map((row) => ({ ...row, place: places.get(shownBy(row)) ?? Number.NaN }))
}

/** Repeats the call on 503: on a busy machine a node may be late, and says so. */
export async function atRest(call: () => Promise<Answered>): Promise<Answered> {
  for (const startedMs = performance.now(); ; ) {
    const answer = await call()
    if (answer.status !== 503 || performance.now() - startedMs > READABLE_WITHIN_MS) return answer
    await pause(RETRY_EVERY_MS)
  }
}

/**
 * On a board that is not unique: each submission is one entry under its own id, and there are no others. One line per
 * fault.
 */
export function checkEveryEntry(rows: readonly Row[], submissions: readonly Submission[]): string[] {
  const faults = checkOrder(rows)
  const byId = new Map(rows.map((row) => [row.id, row]))
  if (byId.size !== rows.length) faults.push(`${rows.length - byId.size} entries are duplicates`)
  for (const { key, answer, player, score } of submissions) {
    const id: string = answer?.body.submitted
    const row = byId.get(id)
    if (row === undefined) faults.push(`${key} was acknowledged as ${id} and is lost`)
    else if (row.player !== player || row.score !== score) faults.push(`${key} is shown as ${JSON.stringify(row)}`)
    byId.delete(id)
  }
  for (const row of byId.values()) faults.push(`nobody submitted ${JSON.stringify(row)}`)
  return faults
}

/** On a unique board: the best score of each player, and nothing else. */
export function checkBests(rows: readonly Row[], submissions: readonly Submission[]): string[] {
  const faults = checkOrder(rows)
  const best = new Map<string, number>()
  for (const { player, score } of submissions) {
    best.set(player, Math.max(Number(score), best.get(player) ?? Number.NEGATIVE_INFINITY))
  }
  for (const row of rows) {
    if (best.get(row.player) !== Number(row.score)) {
      faults.push(`${row.player} is shown with ${row.score} and had ${best.get(row.player)}`)
    }
    best.delete(row.player)
  }
  for (const [player, score] of best) faults.push(`the ${score} of ${player} is lost`)
  return faults
}

/** On a board of totals: the sum of each player's scores, to the last digit, and nothing else. */
export function checkTotals(rows: readonly Row[], submissions: readonly Submission[]): string[] {
  const faults = checkOrder(rows)
  const totals = totalsOf(submissions)
  for (const { player, score } of rows) {
    const due = totals.get(player)
    if (due === undefined || canonical(due) !== score)
      faults.push(`${player} is shown with a total of ${score}, and it is ${due && canonical(due)}`)
    totals.delete(player)
  }
  for (const [player, total] of totals) faults.push(`the total ${canonical(total)} of ${player} is lost`)
  return faults
}

/** Player -> the sum of their scores, as in `scaled`. */
function totalsOf(submissions: readonly Submission[]): Map<string, bigint> {
  const totals = new Map<string, bigint>()
  for (const { player, score } of submissions) totals.set(player, (totals.get(player) ?? 0n) + scaled(score))
  return totals
}

/** On a board of latest submissions, which `readBoard` has found in the log: an entry of each player, and no others. */
export function checkLatest(rows: readonly Row[], submissions: readonly Submission[]): string[] {
  const [shown, due] = [rows, submissions].map((some) => [...new Set(some.map(({ player }) => player))].sort().join())
  return [...checkOrder(rows), ...(shown === due ? [] : [`there are entries of ${shown} and should be of ${due}`])]
}

/**
 * On a board of totals read under load, where no score is negative: no player below the total of what was acknowledged
 * before, nor above that of all that was sent.
 */
export function checkTotalsBetween(
  rows: readonly ReadRow[],
  acknowledged: readonly Submission[],
  sent: readonly Submission[],
): string[] {
  const faults = checkOrder(rows.map((row, place) => ({ ...row, place })))
  const [min, max] = [totalsOf(acknowledged), totalsOf(sent)]
  const shown = new Map(rows.map(({ player, score }) => [player, scaled(score)]))
  for (const player of new Set([...min.keys(), ...shown.keys()])) {
    const [total, least, most] = [shown.get(player), min.get(player) ?? 0n, max.get(player) ?? 0n]
    if (total !== undefined && least <= total && total <= most) continue
    const bounds = `${canonical(least)} and ${canonical(most)}`
    faults.push(`${player} has a total of ${total && canonical(total)}, and it should be between ${bounds}`)
  }
  return faults
}

/**
 * On a unique board read under load: in order of the scores, and no player below their best of before.
 */
export function checkAtLeast(rows: readonly ReadRow[], submissions: readonly Submission[]): string[] {
  const faults = checkOrder(rows.map((row, place) => ({ ...row, place })))
  const shown = new Map(rows.map(({ player, score }) => [player, Number(score)]))
  for (const { key, player, score } of submissions) {
    const shownScore = shown.get(player)
    if (shownScore === undefined) faults.push(`${key} was acknowledged, and ${player} is not shown`)
    else if (shownScore < Number(score))
      faults.push(`${key} was acknowledged with ${score}, and ${player} is shown with ${shownScore}`)
  }
  return faults
}

/** Ranks 1, 2, 3 …; higher scores first, then those that were recorded first. */
function checkOrder(rows: readonly Row[]): string[] {
  const due = rows.toSorted((a, b) => {
    const byScore = Number(b.score) - Number(a.score)
    return byScore === 0 ? a.place - b.place : byScore
  })
  const unknown = rows.filter(({ place }) => Number.isNaN(place))
  if (unknown.length > 0) return unknown.map((row) => `the log has no submission of ${JSON.stringify(row)}`)
  return rows.flatMap((row, i) => {
    if (row.id === due[i]?.id && row.rank === i + 1) return []
    return [`rank ${i + 1} is ${JSON.stringify(row)} and should be ${due[i]?.id}`]
  })
}
