// How a leaderboard would stand under other rules, computed from all that was recorded, without changing anything. The
// history is read twice, in pages between which requests are answered: first for what was deleted, then for what was
// submitted. What it holds meanwhile is two ordered sets of the entries, something of each player, and the ids of
// deleted scores; never the submissions.

import { type Position, type StoredEvent, shaped } from '../domain/event.ts'
import type { Rules } from '../domain/leaderboard.ts'
import { beats, type ScoreSubmittedData, type Submission, within } from '../domain/score.ts'
import { memberOf } from '../ranking/member.ts'
import { SortedBlocks } from '../ranking/sorted-blocks.ts'
import type { Slices } from '../scheduling/time-slices.ts'
import { historyPages, unopened, upTo } from '../stores/support/history-pages.ts'
import type { QueryDeps } from './deps.ts'
import type { Board } from './leaderboard.ts'
import { presentNames } from './names.ts'
import { checkFits } from './too-large.ts'

const PAGE = 500
const PLAYERS_AT_ONCE = 1_000
const TOP = 20
/** Of memory, about: an entry in one of the sets, a player, the id of a deleted score. */
const [ENTRY_BYTES, PLAYER_BYTES, GONE_BYTES] = [60, 500, 120]

/** One player's best place before and after; null where they have none. */
interface Mover {
  readonly player: string
  readonly before: number | null
  readonly after: number | null
}

export interface Preview {
  readonly entries_before: number
  readonly entries_after: number
  readonly changed: number
  readonly top: readonly (Mover & { readonly player_name: string | null })[]
}

export interface PreviewAsked {
  readonly board: Board
  readonly rules: Rules
  /** How far the history is whole; null: nothing is there yet. */
  readonly upTo: Position | null
  /** What it may take of memory. */
  readonly bytesMost: number
  readonly slices: Slices
}

/**
 * O(history). It is of the moment that it begins at, but for bans and names, which are as it meets them. Throws 422
 * `board_too_large`, and the signal's reason.
 */
export async function previewRules(deps: QueryDeps, asked: PreviewAsked): Promise<Preview> {
  const { board, rules, slices } = asked
  const gone = await deletedFrom(deps, asked)
  await slices.turn()
  const [before, after] = [new Side(board.state.rules), new Side(rules)]
  const hidden = new Map<string, boolean>()
  for await (const page of historyOf(deps, asked)) {
    const sent = page.filter((event) => event.type === 'ScoreSubmitted' && !isGone(event, gone))
    await noteHidden(deps, sent, hidden)
    for (const event of sent) {
      if (hidden.get(event.meta.player ?? '') !== false) continue
      before.add(event)
      after.add(event)
      if (slices.due) await slices.turn()
    }
    const entries = before.entries.size + after.entries.size
    checkFits(entries * ENTRY_BYTES + hidden.size * PLAYER_BYTES + bytesOf(gone), asked.bytesMost)
  }
  const { changed, movers } = await compare(before, after, slices)
  const moved = movers.map(({ player }) => player)
  const names = await presentNames(deps, deps.viewKey('entries'), moved)
  return {
    entries_before: before.entries.size,
    entries_after: after.entries.size,
    changed,
    top: movers.map(({ player, before, after }, i) => ({ player, player_name: names[i] ?? null, before, after })),
  }
}

interface Gone {
  readonly ids: ReadonlySet<string>
  /** Player -> the revision from which on their submissions count. */
  readonly from: ReadonlyMap<string, number>
}

async function deletedFrom(deps: QueryDeps, asked: PreviewAsked): Promise<Gone> {
  const ids = new Set<string>()
  const from = new Map<string, number>()
  for await (const page of historyOf(deps, asked)) {
    for (const { type, data, meta, revision } of page) {
      if (type !== 'ScoreDeleted') continue
      if (data.upTo === null) ids.add(String(data.id))
      else from.set(meta.player ?? '', revision)
    }
    checkFits(bytesOf({ ids, from }), asked.bytesMost)
  }
  return { ids, from }
}

const bytesOf = ({ ids, from }: Gone): number => (ids.size + from.size) * GONE_BYTES

function isGone({ data, meta, revision }: StoredEvent, { ids, from }: Gone): boolean {
  return revision < (from.get(meta.player ?? '') ?? 0) || ids.has(String(data.id))
}

/** Both times the same: what comes meanwhile is left out. */
function historyOf({ history }: QueryDeps, { board, upTo: last, slices }: PreviewAsked) {
  const asked = { isIn: upTo(last ?? ''), limit: PAGE }
  return historyPages(unopened(history), { board: board.id }, asked, () => slices.turn())
}

/** The present standing of these players, whose bans and deletions leave them out of every answer. */
async function noteHidden(deps: QueryDeps, events: readonly StoredEvent[], hidden: Map<string, boolean>) {
  const unknown = [...new Set(events.map(({ meta }) => meta.player ?? ''))].filter((player) => !hidden.has(player))
  const documents = await deps.views.get(deps.viewKey('entries'), 'names', unknown)
  for (const [i, player] of unknown.entries()) {
    hidden.set(player, (documents[i]?.body.standing ?? 'shown') !== 'shown')
  }
}

/** A player's best entry on one side. */
interface Own {
  /** Of their first submission. */
  readonly id: string
  best: Submission | null
  member: string | null
}

/** The board under one set of rules. */
class Side {
  readonly entries = new SortedBlocks()
  readonly own = new Map<string, Own>()
  readonly #rules: Rules

  constructor(rules: Rules) {
    this.#rules = rules
  }

  add({ data, meta }: StoredEvent): void {
    const rules = this.#rules
    const sent = shaped<ScoreSubmittedData>(data)
    const player = meta.player ?? ''
    const own = this.own.get(player) ?? { id: sent.id, best: null, member: null }
    this.own.set(player, own)
    if (!within(rules, sent.score)) return
    if (rules.unique && own.best !== null && !beats(rules, sent, own.best)) return
    const { score, secondary } = sent
    const id = rules.unique ? own.id : sent.id
    const member = memberOf({ score, secondary, time: meta.time }, id, rules)
    if (rules.unique && own.member !== null) this.entries.remove(own.member)
    this.entries.add(member)
    if (!rules.unique && own.member !== null && own.member < member) return
    own.best = { id, score, secondary }
    own.member = member
  }

  /** From 1; null where the player has no entry. */
  rank(player: string): number | null {
    const member = this.own.get(player)?.member ?? null
    const place = member === null ? null : this.entries.rank(member)
    return place === null ? null : place + 1
  }
}

async function compare(before: Side, after: Side, slices: Slices) {
  const size = Math.max(before.entries.size, after.entries.size)
  let changed = 0
  let movers: Mover[] = []
  let asked = 0
  // Both sides have heard of the same players.
  for (const player of before.own.keys()) {
    const mover = { player, before: before.rank(player), after: after.rank(player) }
    if (mover.before !== mover.after) {
      changed++
      movers.push(mover)
    }
    if (++asked % PLAYERS_AT_ONCE === 0) movers = biggest(movers, size)
    await slices.turnIfDue()
  }
  return { changed, movers: biggest(movers, size) }
}

/** By how many places they move; who enters or leaves comes from or goes to just behind the last place there is. */
function biggest(movers: readonly Mover[], size: number): Mover[] {
  const way = ({ before, after }: Mover) => Math.abs((before ?? size + 1) - (after ?? size + 1))
  const best = ({ before, after }: Mover) => Math.min(before ?? size + 1, after ?? size + 1)
  const order = (a: Mover, b: Mover) => way(b) - way(a) || best(a) - best(b) || (a.player < b.player ? -1 : 1)
  return movers.toSorted(order).slice(0, TOP)
}
