// Rankings follow from the documents: where they begin empty (in process) or were lost (a Redis that was emptied), they are
// filled from them, before anything more is put into them.

import type { Position } from '../domain/event.ts'
import type { Log } from '../stores/contract/log.ts'
import { PARTITIONS } from '../stores/contract/partition.ts'
import type { FilledRanking, Rankings } from '../stores/contract/rankings.ts'
import type { Checkpoint, Views } from '../stores/contract/views.ts'
import type { Applier } from './apply.ts'
import { type Ranked, viewKey } from './projection.ts'

const PAGE = 5_000
const LOOK_FOR_RANKINGS_MS = 500

interface FillDeps {
  readonly log: Log
  readonly views: Views
  readonly rankings: Rankings
}

/** The ranked views among these: at most one, as a view's rankings are filled whole. */
const rankedAmong = (appliers: readonly Applier[]) =>
  appliers.flatMap(({ projection }) =>
    projection.ranked === undefined ? [] : [{ view: viewKey(projection), ranked: projection.ranked }],
  )

/**
 * Fills what is not filled. Nothing may be put into the rankings meanwhile. Gives the names that the rankings are filled
 * under: of the view, and of the very log it follows from, so that those of another installation never count.
 */
export async function fillRankings(deps: FillDeps, appliers: readonly Applier[]): Promise<string[]> {
  const { log, views, rankings } = deps
  const names: string[] = []
  for (const { view, ranked } of rankedAmong(appliers)) {
    const [first] = await log.readAll(null, 1)
    const name = `${view} ${first?.id ?? 'of an empty log'}`
    names.push(name)
    const checkpoints = await views.checkpoints(view)
    // Of documents that were thrown away, because their log was restored, no ranking may be left.
    if (checkpoints.size > 0 && (await rankings.isFilled(name))) continue
    await rankings.fill(name, reachedEverywhere(checkpoints), everyRanking(views, view, ranked))
  }
  return names
}

/**
 * Where nothing happens no write would tell that the rankings are gone: looking now and then ends the round, and the next
 * one fills them. `names` as `fillRankings` gave them. Gives what ends the looking.
 */
export function endWhenRankingsAreLost(
  { rankings }: FillDeps,
  names: readonly string[],
  round: AbortController,
): () => void {
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    // A store that is away has not lost them: its answer tells, once it is back.
    for (const name of names) if (!(await rankings.isFilled(name).catch(() => true))) round.abort()
    isLooking = false
  }
  const looking = setInterval(() => void look(), LOOK_FOR_RANKINGS_MS).unref()
  return () => clearInterval(looking)
}

/** A position that all documents of a view have reached; null where there may be none. */
function reachedEverywhere(checkpoints: ReadonlyMap<number, Checkpoint>): Position | null {
  if (checkpoints.size < PARTITIONS) return null
  return [...checkpoints.values()].reduce<Position>(
    (least, { position }) => (least === '' || position < least ? position : least),
    '',
  )
}

async function* everyRanking(views: Views, view: string, ranked: Ranked): AsyncIterable<FilledRanking> {
  for (let after: string | null = null; ; ) {
    const documents = await views.scan(view, ranked.keys, after, PAGE)
    for (const { body } of documents) {
      const key = body[ranked.key] as string
      yield { key, members: members(views, view, ranked, key) }
    }
    if (documents.length < PAGE) return
    after = documents.at(-1)?.id ?? null
  }
}

async function* members(views: Views, view: string, ranked: Ranked, key: string): AsyncIterable<string[]> {
  const { collection, index } = ranked
  for (let after: string | undefined; ; ) {
    const bound = after === undefined ? {} : { after }
    const documents = await views.find({ view, collection, index, equal: [key], ...bound, limit: PAGE })
    const page = documents.map(({ body }) => body[ranked.member] as string)
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    after = page.at(-1)
  }
}
