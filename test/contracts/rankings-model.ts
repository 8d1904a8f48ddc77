// Helpers for the checks of rankings, and the reference model: a sorted array with the position of its last change.

import { expect } from 'chai'
import { parseDecimal } from '../../domain/decimal.ts'
import type { Position } from '../../domain/event.ts'
import { encodeSortKey } from '../../ranking/sort-key.ts'
import type { AllRankings, Around, FilledRanking, RankingChange, Rankings } from '../../stores/contract/rankings.ts'
import { positionOf } from '../../stores/embedded/log-schema.ts'
import type { Check } from './test-contract.ts'

export const VIEW = 'entries@1'
export const PARTITION = 3
/** The position and name of the fill. */
export const NAME = 'the log'

const idOf = (n: number) => `player${String(n).padStart(18, 'a')}`
export const posAt = (n: number): Position => String(n).padStart(12, '0')
export const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

/** A sort key with an id of its own; a lower score ranks first. */
export function sortKeyAt(score: number, id = score): string {
  const decimal = parseDecimal(String(score))
  if (decimal === null) throw new Error(`${score} is not a score`)
  return encodeSortKey(
    { score: decimal, secondary: null, position: positionOf(id), timeMs: 1_795_244_701_123, id: idOf(id) },
    { ordering: 'asc', secondaryOrdering: 'asc' },
  )
}

export const sortKeysAt = (scores: readonly number[]) => scores.map((score) => sortKeyAt(score))
export const FIVE = sortKeysAt([0, 1, 2, 3, 4])

export function change(key: string, before: readonly string[], after: string | null, pos: number): RankingChange {
  return { key, before, after, pos: posAt(pos) }
}

/** New entries, the first at position `from`. */
export const added = (key: string, scores: readonly number[], from = 1) =>
  scores.map((score, n) => change(key, [], sortKeyAt(score), from + n))

async function* chunksOf(sortKeys: readonly string[], size: number): AsyncGenerator<readonly string[]> {
  yield []
  for (let at = 0; at < sortKeys.length; at += size) yield sortKeys.slice(at, at + size)
}

export async function* filledWith(
  rankings: Readonly<Record<string, readonly string[]>>,
  size = 100,
): AsyncGenerator<FilledRanking> {
  for (const [key, sortKeys] of Object.entries(rankings)) yield { key, sortKeys: chunksOf(sortKeys, size) }
}

/** The set of most checks. */
export const ofOne = (all: AllRankings): Rankings => all.of(VIEW, PARTITION)

export async function fill(
  rankings: Rankings,
  name: string,
  at: Position | null,
  boards: AsyncIterable<FilledRanking>,
): Promise<void> {
  const filling = await rankings.beginFill(name)
  await filling.finish(at, boards)
}

/** Filled rankings at the start of the log, without any key. */
async function filledWithNothing(make: () => Promise<AllRankings>): Promise<Rankings> {
  const rankings = ofOne(await make())
  await fill(rankings, NAME, null, filledWith({}))
  return rankings
}

/** A board with the scores 0, 2, 4, 6 and 8, added out of order at positions 1 to 5. */
export async function fiveOn(rankings: Rankings): Promise<string[]> {
  await rankings.put(added('board', [4, 0, 8, 2, 6]))
  return sortKeysAt([0, 2, 4, 6, 8])
}

export const all = (rankings: Rankings, key: string) => rankings.range(key, 0, 1_000_000)

/** Every read and write that must be refused if the rankings are not filled. */
export function callsOf(rankings: Rankings, key: string, sortKey: string): (() => Promise<unknown>)[] {
  return [
    () => rankings.put([{ key, before: [], after: sortKey, pos: '~' }]),
    () => rankings.size(key),
    () => rankings.before(key, sortKey),
    () => rankings.ranks(key, [sortKey]),
    () => rankings.range(key, 0, 10),
    () => rankings.around(key, sortKey, 10),
    () => rankings.lastApplied(key),
  ]
}

/** The outcomes if all of them are refused. */
export const LOST = Array.from({ length: 7 }, () => 'RankingsLost')

/** The names of the errors that calls reject with; `answered` for those that do not. */
export function outcomes(calls: readonly (() => Promise<unknown>)[]): Promise<string[]> {
  const outcome = (call: () => Promise<unknown>) =>
    call().then(
      () => 'answered',
      (error: unknown) => (error instanceof Error ? error.name : 'no error'),
    )
  return Promise.all(calls.map(outcome))
}

export function modelAround(sortKeys: readonly string[], sortKey: string, limit: number): Around | null {
  const rank = sortKeys.indexOf(sortKey)
  if (rank < 0) return null
  const offset = Math.max(0, Math.min(rank - Math.floor(limit / 2), sortKeys.length - limit))
  return { rank, size: sortKeys.length, offset, sortKeys: sortKeys.slice(offset, offset + limit) }
}

/** Applies changes as the contract says: per key those no older than its last position before the call, in order. */
export class ModelRankings {
  private readonly keys = new Map<string, Set<string>>()
  private lastPositions = new Map<string, Position>()
  private at: Position = ''

  fill(at: Position | null, rankings: ReadonlyMap<string, readonly string[]>): void {
    this.keys.clear()
    for (const [key, sortKeys] of rankings) this.keys.set(key, new Set(sortKeys))
    this.lastPositions.clear()
    this.at = at ?? ''
  }

  put(changes: readonly RankingChange[]): void {
    const lastPositions = new Map(this.lastPositions)
    for (const { key, before, after, pos } of changes) {
      if (pos < (this.lastPositions.get(key) ?? this.at)) continue
      const sortKeys = this.keys.get(key) ?? new Set<string>()
      for (const sortKey of before) sortKeys.delete(sortKey)
      if (after !== null) sortKeys.add(after)
      this.keys.set(key, sortKeys)
      if (pos > (lastPositions.get(key) ?? this.at)) lastPositions.set(key, pos)
    }
    this.lastPositions = lastPositions
  }

  /** Ascending. */
  sortKeys(key: string): string[] {
    return [...(this.keys.get(key) ?? [])].sort()
  }
}

/** Compares all reads of one key with a sorted array. */
export async function compareReads(
  rankings: Rankings,
  key: string,
  sortKeys: readonly string[],
  { sortKey, offset, limit }: { readonly sortKey: string; readonly offset: number; readonly limit: number },
): Promise<void> {
  const rank = (of: string) => (sortKeys.includes(of) ? sortKeys.indexOf(of) : null)
  const asked = [sortKey, ...sortKeys.slice(-3), sortKey]
  expect(await rankings.size(key)).to.equal(sortKeys.length)
  expect(await rankings.ranks(key, asked)).to.deep.equal(asked.map(rank))
  expect(await rankings.before(key, sortKey)).to.equal(sortKeys.filter((other) => other < sortKey).length)
  expect(await rankings.range(key, offset, limit)).to.deep.equal(sortKeys.slice(offset, offset + limit))
  expect(await rankings.around(key, sortKey, limit)).to.deep.equal(modelAround(sortKeys, sortKey, limit))
}

/** A check of rankings that are filled and empty. */
export const checkFilled = (name: string, body: (rankings: Rankings) => Promise<void>): Check<AllRankings> => ({
  name,
  run: async (make) => body(await filledWithNothing(make)),
})

/** A check of rankings that were just opened. */
export const checkOpened = (name: string, body: (rankings: Rankings) => Promise<void>): Check<AllRankings> => ({
  name,
  run: async (make) => body(ofOne(await make())),
})
