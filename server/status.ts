// The state of the installation as this node sees it: health, how far the views are behind, parked streams, versions.

import { ALL_PARTITIONS } from '../domain/partition.ts'
import type { Ready } from '../http/pipeline/health.ts'
import type { Status } from '../http/routes/system-shapes.ts'
import { viewsOver } from '../projections/all.ts'
import { createLag } from '../projections/lag.ts'
import { parkedStreams } from '../projections/parked.ts'
import type { Progress } from '../projections/progress.ts'
import { viewKey } from '../projections/projection.ts'
import { VERSION } from '../runtime/version.ts'
import type { Stores } from '../stores/contract/stores.ts'
import type { NodeBuilds } from './node/builds.ts'

const STREAMS_SHOWN = 100
const ALL = { partitions: new Set(ALL_PARTITIONS), changed: new AbortController().signal }

interface StatusParts {
  readonly stores: Stores
  readonly progress: Progress
  readonly builds: Pick<NodeBuilds, 'keyOf'>
  /** Unix milliseconds. */
  now(): number
}

export function statusOf({ stores, progress, builds, now }: StatusParts, ready: Ready): () => Promise<Status> {
  // Of all partitions, also on a node that applies none.
  const lag = createLag(stores.log, { now: () => ALL }, progress)
  const lagOf = async () => {
    const [log, views] = [await stores.log.head(), progress.least()]
    if (log === null) return { ms: 0, log, views }
    if (views === null) return { ms: null, log, views }
    lag.startFrom(views)
    const ms = Math.round(await lag.ms(now()))
    // A partition whose events are all applied keeps the position of its last one.
    return { ms, log, views: ms === 0 ? log : views }
  }
  const parked = async () => {
    const streams: Status['parked']['streams'] = []
    let count = 0
    for (const view of viewsOver(stores)) {
      const found = await parkedStreams(stores.views, viewKey(view))
      count += found.size
      for (const [stream, position] of found) {
        if (streams.length < STREAMS_SHOWN) streams.push({ view: view.name, stream, position })
      }
    }
    return { count, streams }
  }
  return async () => {
    const is = await ready()
    const reasons = typeof is === 'boolean' ? {} : is
    const status = is === false ? 'not ready' : Object.keys(reasons).length === 0 ? 'ready' : 'degraded'
    const views = viewsOver(stores).map((view) => builds.keyOf(viewKey(view)))
    const versions = { server: VERSION, node: process.version, views }
    return { health: { status, reasons: { ...reasons } }, lag: await lagOf(), parked: await parked(), versions }
  }
}
