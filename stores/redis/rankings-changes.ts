// Turns changes into Redis commands: for each key the members to remove and to add, applied in one step, in calls of
// bounded size.

import type { Position } from '../../domain/event.ts'
import type { RankingChange } from '../contract/rankings.ts'
import { MARK } from './rankings-scripts.ts'

/** All changes of one key in one call, in order; never empty. */
export interface KeyChanges {
  readonly key: string
  readonly changes: readonly RankingChange[]
}

/** Members per script: it blocks the server for about 10 ms. The changes of one key are never split. */
const MEMBERS_PER_SCRIPT = 2_000

export function byKey(changes: readonly RankingChange[]): KeyChanges[] {
  const keys = new Map<string, RankingChange[]>()
  for (const change of changes) {
    const found = keys.get(change.key)
    if (found === undefined) keys.set(change.key, [change])
    else found.push(change)
  }
  return [...keys].map(([key, ofKey]) => ({ key, changes: ofKey }))
}

/** Splits the changes into one batch per script. */
export function* portions(all: readonly KeyChanges[]): Generator<KeyChanges[]> {
  let portion: KeyChanges[] = []
  let members = 0
  for (const one of all) {
    const more = one.changes.reduce((sum, { before }) => sum + before.length + 1, 0)
    if (portion.length > 0 && members + more > MEMBERS_PER_SCRIPT) {
      yield portion
      portion = []
      members = 0
    }
    portion.push(one)
    members += more
  }
  if (portion.length > 0) yield portion
}

/** The changes at or after a position; null if there are none. */
export function sinceThen(position: Position, { key, changes }: KeyChanges): KeyChanges[] {
  const since = changes.every(({ pos }) => pos >= position) ? changes : changes.filter(({ pos }) => pos >= position)
  return since.length === 0 ? [] : [{ key, changes: since }]
}

/** The arguments of one key for the script PUT. */
export function wordsOf({ changes }: KeyChanges): string[] {
  const ranked = new Map<string, boolean>()
  let oldest = changes[0]?.pos ?? ''
  let newest = oldest
  for (const { before, after, pos } of changes) {
    for (const member of before) ranked.set(member, false)
    if (after !== null) ranked.set(after, true)
    if (pos < oldest) oldest = pos
    if (pos > newest) newest = pos
  }
  const gone: string[] = []
  const come: string[] = []
  for (const [member, isRanked] of ranked) {
    if (isRanked) come.push('0', member)
    else gone.push(member)
  }
  gone.push('')
  come.push('0', MARK + newest)
  return [oldest, String(gone.length), String(come.length), ...gone, ...come]
}
