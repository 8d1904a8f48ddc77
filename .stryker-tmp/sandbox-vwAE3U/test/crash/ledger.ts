// What must stand on the boards after everything that was submitted, on paper; and what does, page by page.

import type { Answered, Body } from '../front-door/http-client.ts'
import { must, type World } from '../front-door/world.ts'
import { pause } from '../until.ts'
import type { Submission } from './load.ts'

const PAGE = 100
/** A board at rest that is answered with 503 for so long is none that can be read. */
const READABLE_WITHIN_MS = 60_000
const ASK_EVERY_MS = 50

interface Row {
  readonly id: string
  readonly player: string
  readonly score: string
  readonly updated: string
  readonly rank: number
}

/** Every entry of a board, best first. */
export async function readBoard(
  world: World,
  token: string,
  board: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const path = `/api/lb/${board}/score/?limit=${PAGE}&offset=${rows.length}`
    const page: Body = must(await atRest(() => world.call('GET', path, { token, headers })), 200)
    rows.push(...page.scores)
    if (page.next_offset === null) return rows
  }
}

/** Asked again where it is 503: on a busy machine a node may be late with anything, and says so. */
export async function atRest(ask: () => Promise<Answered>): Promise<Answered> {
  for (const begun = performance.now(); ; ) {
    const answer = await ask()
    if (answer.status !== 503 || performance.now() - begun > READABLE_WITHIN_MS) return answer
    await pause(ASK_EVERY_MS)
  }
}

/**
 * Where each submission is an entry: each of them once, under its own id, and nothing else. One line for each fault.
 */
export function checkEveryEntry(rows: readonly Row[], submissions: readonly Submission[]): string[] {
  const faults = checkOrder(rows)
  const byId = new Map(rows.map((row) => [row.id, row]))
  if (byId.size !== rows.length) faults.push(`${rows.length - byId.size} entries are there twice`)
  for (const { key, answer, player, score } of submissions) {
    const id: string = answer?.body.submitted
    const row = byId.get(id)
    if (row === undefined) faults.push(`${key} was acknowledged as ${id} and is lost`)
    else if (row.player !== player || row.score !== score) faults.push(`${key} is there as ${JSON.stringify(row)}`)
    byId.delete(id)
  }
  for (const row of byId.values()) faults.push(`nobody submitted ${JSON.stringify(row)}`)
  return faults
}

/** On a unique board: each player's best, and nothing else. */
export function checkBests(rows: readonly Row[], submissions: readonly Submission[]): string[] {
  const faults = checkOrder(rows)
  const best = new Map<string, number>()
  for (const { player, score } of submissions) {
    best.set(player, Math.max(Number(score), best.get(player) ?? Number.NEGATIVE_INFINITY))
  }
  for (const row of rows) {
    if (best.get(row.player) !== Number(row.score)) {
      faults.push(`${row.player} stands with ${row.score} and had ${best.get(row.player)}`)
    }
    best.delete(row.player)
  }
  for (const [player, score] of best) faults.push(`the ${score} of ${player} is lost`)
  return faults
}

/**
 * On a unique board read while others submit: in order, and each player with nothing less than their best of before.
 */
export function checkAtLeast(rows: readonly Row[], submissions: readonly Submission[]): string[] {
  const faults = checkOrder(rows)
  const shown = new Map(rows.map(({ player, score }) => [player, Number(score)]))
  for (const { key, player, score } of submissions) {
    const stands = shown.get(player)
    if (stands === undefined) faults.push(`${key} was acknowledged, and ${player} is not shown`)
    else if (stands < Number(score))
      faults.push(`${key} was acknowledged with ${score}, and ${player} is shown with ${stands}`)
  }
  return faults
}

/** Ranks 1, 2, 3 …; higher scores first, then who was earlier, then the lesser id. */
function checkOrder(rows: readonly Row[]): string[] {
  const due = rows.toSorted((a, b) => {
    const byScore = Number(b.score) - Number(a.score)
    if (byScore !== 0) return byScore
    if (a.updated !== b.updated) return a.updated < b.updated ? -1 : 1
    return a.id < b.id ? -1 : 1
  })
  return rows.flatMap((row, i) => {
    if (row.id === due[i]?.id && row.rank === i + 1) return []
    return [`place ${i + 1} holds ${JSON.stringify(row)} and should hold ${due[i]?.id}`]
  })
}
