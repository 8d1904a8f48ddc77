// `window=best` on a unique board, with filters: each player's best submission inside the window, in rank order. No
// step handles more than some hundred entries, and only returned entries are held completely.

import { sorted } from '../../ranking/sort.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { foldCase } from '../fold-case.ts'
import { type BestOne, bestPerPlayer, type Passes, submissionOf } from './best-per-player.ts'
import { type Entry, inWindow, type Ranked } from './entry.ts'
import { type Members, pageAround, pageOfMembers } from './filtered-page.ts'
import type { ScoresPage, ScoresQuery } from './query.ts'
import type { Reader } from './reader.ts'
import { isNameInside, isScoreInside } from './score-bounds.ts'

/** Names per read, and submissions handled between two checks of the clock. */
const PAGE = 50

/** O(entries + history + n log n), in time slices. */
export async function bestPage(reader: Reader, query: ScoresQuery, slices: TimeSlices): Promise<ScoresPage> {
  const all = await bestPerPlayer(reader, query, passesOf(query), slices)
  const inOrder = await rankOrder(all, slices)
  const found = await matchingOf(reader, inOrder, query, slices)
  if (query.around === null) return pageOfMembers(reader, found, query, slices)
  const own = await ownOf(reader, inOrder, query.around, slices)
  return pageAround(reader, found, { own, limit: query.limit })
}

/** A submission is shown with the name submitted with it, else the player's current one. */
function passesOf(query: ScoresQuery): Passes {
  const wanted = query.playerName === null ? null : foldCase(query.playerName)
  return (player, sent) => {
    if ((query.player !== null && player !== query.player) || !isScoreInside(sent, query)) return false
    if (wanted === null) return true
    return sent.playerName === null ? 'by name' : isNameInside(sent.playerName, wanted, foldCase)
  }
}

/** Sorts by rank, best first. */
async function rankOrder(all: readonly BestOne[], slices: TimeSlices): Promise<readonly BestOne[]> {
  const slots = new Uint32Array(all.length)
  for (let slot = 0; slot < slots.length; slot++) slots[slot] = slot
  const isBefore = (a: number, b: number) => (all[a] as BestOne).member < (all[b] as BestOne).member
  // All keys are equal: every comparison is by member.
  const keys = new Float64Array(all.length)
  const order = await slices.result(sorted(slots, keys, (a, b) => (isBefore(a, b) ? -1 : 1)))
  const inOrder: BestOne[] = []
  for (const slot of order) {
    if (inOrder.length % PAGE === 0) await slices.yieldIfDue()
    inOrder.push(all[slot] as BestOne)
  }
  return inOrder
}

async function matchingOf(
  reader: Reader,
  inOrder: readonly BestOne[],
  { playerName }: ScoresQuery,
  slices: TimeSlices,
): Promise<Members> {
  const wanted = playerName === null ? null : foldCase(playerName)
  const members: string[] = []
  const matching = new Uint32Array(inOrder.length)
  let count = 0
  for (let from = 0; from < inOrder.length; from += PAGE) {
    if (from > 0) await slices.yieldIfDue()
    const page = inOrder.slice(from, from + PAGE)
    const unnamed = page.filter(({ passes }) => passes === 'by name').map(({ player }) => player)
    const names = unnamed.length === 0 ? [] : await reader.names(unnamed)
    let next = 0
    for (const { member, passes } of page) {
      const isMatch =
        passes === 'by name' ? wanted !== null && isNameInside(names[next++] ?? null, wanted, foldCase) : passes
      if (isMatch) matching[count++] = members.length
      members.push(member)
    }
  }
  const entriesOf = (some: readonly string[]) =>
    entriesFrom(
      reader,
      some.map((member) => at(inOrder, member)),
      slices,
    )
  return { members, matching: matching.slice(0, count), known: new Map(), entriesOf }
}

/** Binary search. O(log n). */
function at(inOrder: readonly BestOne[], member: string): BestOne | undefined {
  let [low, high] = [0, inOrder.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((inOrder[middle] as BestOne).member < member) low = middle + 1
    else high = middle
  }
  return inOrder[low]
}

/** Entries that show the submissions, without those deleted meanwhile. */
async function entriesFrom(
  reader: Reader,
  some: readonly (BestOne | undefined)[],
  slices: TimeSlices,
): Promise<Entry[]> {
  const found: Entry[] = []
  for (const one of some) {
    const [entry, sent] = one === undefined ? [] : [await reader.bestOf(one.player), await submissionOf(reader, one)]
    if (one === undefined || entry === null || entry === undefined || sent === null || sent === undefined) continue
    const [name = null] = sent.playerName === null ? await reader.names([one.player]) : []
    const made = inWindow(entry, sent, name, reader.rules)
    // The player may have another entry by now.
    if (made.member === one.member) found.push(made)
    await slices.yieldIfDue()
  }
  return found
}

/** With `around`: the player's entry, whether or not it matches. */
async function ownOf(
  reader: Reader,
  inOrder: readonly BestOne[],
  player: string,
  slices: TimeSlices,
): Promise<Ranked | null> {
  for (const [index, one] of inOrder.entries()) {
    if (index % PAGE === 0) await slices.yieldIfDue()
    if (one.player !== player) continue
    const [entry] = await entriesFrom(reader, [one], slices)
    return entry === undefined ? null : { entry, rank: index + 1 }
  }
  return null
}
