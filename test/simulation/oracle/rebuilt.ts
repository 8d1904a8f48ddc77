// Compares read models byte for byte with ones that the production code rebuilds.

import { ALL_PARTITIONS } from '../../../domain/partition.ts'
import { ALL_VIEWS } from '../../../projections/all.ts'
import { createApplier } from '../../../projections/create-applier.ts'
import { Progress } from '../../../projections/progress.ts'
import { PARKED, type Projection, viewKey, viewSpec } from '../../../projections/projection.ts'
import type { Log } from '../../../stores/contract/log.ts'
import type { AllRankings } from '../../../stores/contract/rankings.ts'
import type { Document, Views } from '../../../stores/contract/views.ts'
import { historyOf } from '../../memory/history.ts'
import { createRankings } from '../../memory/rankings-in-process.ts'
import { createMemoryViews } from '../../memory/views.ts'
import { startViews } from '../../projections/start-views.ts'

const ALL = 1_000_000_000

export interface RankingKey {
  readonly view: string
  readonly partition: number
  readonly key: string
}

export interface Rebuilt {
  readonly projections: readonly Projection[]
  readonly views: Views
  readonly rankings: AllRankings
  /** Every ranking. */
  readonly keys: readonly RankingKey[]
}

export async function rebuild(log: Log, projections: readonly Projection[] = ALL_VIEWS): Promise<Rebuilt> {
  const views = createMemoryViews()
  const rankings = createRankings()
  const observed = { parked: () => {}, reopening: () => {}, applied: () => {}, catchingUp: () => {} }
  const deps = {
    log,
    history: historyOf(log),
    views,
    rankings,
    installation: 'rebuilt',
    progress: new Progress(),
    ...observed,
  }
  await startViews({ deps, appliers: projections.map((view) => createApplier(view, deps)) })
  const keys: RankingKey[] = []
  for (const view of projections) {
    if (view.ranked === undefined) continue
    const { keys: collection, byPartition: index, key } = view.ranked
    for (const partition of ALL_PARTITIONS) {
      const find = { view: viewKey(view), collection, index, equal: [partition], limit: ALL }
      const found = await views.find(find)
      keys.push(...found.map(({ body }) => ({ view: viewKey(view), partition, key: String(body[key]) })))
    }
  }
  return { projections, views, rankings, keys }
}

/** All sort keys of a ranking, in rank order. */
export const sortKeysOf = (rankings: AllRankings, { view, partition, key }: RankingKey): Promise<string[]> =>
  rankings.of(view, partition).range(key, 0, ALL)

/** One line for each document that differs, is missing, is unexpected, or is quarantined. */
export async function rebuiltDifferences(live: Views, log: Log, rebuilt?: Rebuilt): Promise<string[]> {
  const { projections, views } = rebuilt ?? (await rebuild(log))
  const found: string[] = []
  for (const view of projections) {
    for (const { name } of viewSpec(view).collections) {
      const present = await live.scan(viewKey(view), name, null, ALL)
      const due = await views.scan(viewKey(view), name, null, ALL)
      found.push(...differences(`${viewKey(view)}/${name}`, present, due))
      if (name === PARKED) found.push(...present.map((document) => `parked: ${JSON.stringify(document)}`))
    }
  }
  return found
}

function differences(name: string, live: readonly Document[], rebuilt: readonly Document[]): string[] {
  const text = new Map(rebuilt.map((document) => [document.id, JSON.stringify(document)]))
  const wrong = live.flatMap((document) => {
    const [is, due] = [JSON.stringify(document), text.get(document.id)]
    text.delete(document.id)
    return is === due ? [] : [`${name}: live ${is}, rebuilt ${due}`]
  })
  return [...wrong, ...[...text.values()].map((due) => `${name}: live nothing, rebuilt ${due}`)]
}
