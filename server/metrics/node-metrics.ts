// Metrics and log lines about projections, reactions, files, revocations and deletions of a node.

import type { Logger } from 'pino'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { NodeRevocations } from '../../access/revocations.ts'
import type { RunDeps } from '../../projections/run.ts'
import type { WindowsOptions } from '../../queries/windows/windows.ts'
import type { MissingBlob } from '../../reactions/blobs.ts'
import type { DeleteGamesDeps } from '../../reactions/delete-games.ts'
import { watchGauge } from '../../runtime/gauge.ts'
import { outputOf } from '../../runtime/log-output.ts'
import { createRepeatedFailures, failureText } from '../../runtime/repeated-failures.ts'
import { withTimeout } from '../../runtime/with-timeout.ts'

export interface ViewsWatch extends Pick<RunDeps, 'applied' | 'parked' | 'reopening'> {
  /** Called for each failure of a reaction, which is retried. */
  reactionFailed(reaction: string, error: unknown): void
  /** Called after each check, with the files whose bytes are missing from the store. */
  filesMissing(missing: readonly MissingBlob[]): void
  /** Number of missing files at the last check of this process; 0 if it does not check. */
  missingFiles(): number
}

/** Missing files listed in a log line; `scorebook files check` lists all. */
const MISSING_NAMED = 10

export function watch(log: Logger, registry: Registry): ViewsWatch {
  let missingFiles = 0
  const { events, parked, reopened, failures } = viewsMetrics(registry, () => missingFiles)
  const reactionFailures = createRepeatedFailures()
  const brokenViews = createRepeatedFailures()
  return {
    applied: (count) => {
      events.inc(count)
      reactionFailures.ended()
      if (brokenViews.ended()) log.info('views: following the log again')
    },
    filesMissing: (missing) => {
      missingFiles = missing.length
      if (missing.length === 0) return
      log.error({ missing: missing.length, first: missing.slice(0, MISSING_NAMED) }, 'files without their bytes')
    },
    missingFiles: () => missingFiles,
    reactionFailed: (reaction, error) => {
      failures.inc({ process: reaction })
      const line = reactionFailures.line(error)
      if (line !== null)
        log.error({ process: reaction, failure: failureText(error), ...line }, 'process failed, trying again')
    },
    parked: (view, event, error) => {
      parked.inc({ view })
      const { stream, revision, position, type } = event
      const failure = failureText(error)
      log.error({ view, stream, revision, position, type, failure }, 'event parked: it could not be applied')
    },
    reopening: (error) => {
      reopened.inc()
      const line = brokenViews.line(error)
      if (line !== null) log.error({ failure: failureText(error), ...line }, 'views: going on from the last checkpoint')
    },
  }
}

function viewsMetrics(registry: Registry, missingFiles: () => number) {
  const registers = [registry]
  const events = new Counter({
    name: 'scorebook_projection_events_total',
    help: 'Events applied to the views.',
    registers,
  })
  const parked = new Counter({
    name: 'scorebook_projection_parked_total',
    help: 'Events that could not be applied; their streams are parked in that view.',
    labelNames: ['view'],
    registers,
  })
  const reopened = new Counter({
    name: 'scorebook_projection_reopened_total',
    help: 'Times the subscription broke and was opened again.',
    registers,
  })
  const failures = new Counter({
    name: 'scorebook_process_failures_total',
    help: 'Failures of background processes, which are retried.',
    labelNames: ['process'],
    registers,
  })
  const help = 'Files whose bytes are missing from the store, at the last check.'
  watchGauge(registry, 'scorebook_files_missing', help, missingFiles)
  return { events, parked, reopened, failures }
}

/** Age of the oldest event that this process has not applied yet. */
export function watchLag(registry: Registry, lagMs: () => Promise<number>): void {
  let known = { lagMs: 0, atMs: performance.now() }
  new Gauge({
    name: 'scorebook_projection_lag_seconds',
    help: 'Age of the oldest event not applied yet, 0 if there is none. It keeps growing while the log does not answer.',
    registers: [registry],
    async collect() {
      const lag = await withTimeout(LAG_TIMEOUT_MS, lagMs()).catch(() => null)
      if (lag !== null) known = { lagMs: lag, atMs: performance.now() }
      const sinceMs = lag === null ? performance.now() - known.atMs : 0
      this.set((known.lagMs + sinceMs) / 1_000)
    },
  })
}

/** How far the clock of this node is behind the newest event. */
export function watchClock(registry: Registry, clock: { readonly behindMs: number }): void {
  const help = 'Seconds that the clock of this process is behind the newest event, 0 if it is not.'
  watchGauge(registry, 'scorebook_clock_behind_seconds', help, () => clock.behindMs / 1_000)
}

/** Lines of this process's own log that could not be written. */
export function watchLog(registry: Registry, log: Logger): void {
  let counted = 0
  new Counter({
    name: 'scorebook_log_lines_dropped_total',
    help: 'Lines of the log that were dropped, as its output could not be written.',
    registers: [registry],
    collect() {
      const dropped = outputOf(log)?.dropped ?? 0
      this.inc(dropped - counted)
      counted = dropped
    },
  })
}

/** A silent log must not delay the other metrics. */
const LAG_TIMEOUT_MS = 1_000

/** Commits and events of the log: their ratio shows how many appends share an fsync. */
export function watchCommits(registry: Registry): (events: number) => void {
  const registers = [registry]
  const commits = new Counter({ name: 'scorebook_log_commits_total', help: 'Commits of the log.', registers })
  const appended = new Counter({ name: 'scorebook_log_events_total', help: 'Events appended to the log.', registers })
  return (events) => {
    commits.inc()
    appended.inc(events)
  }
}

/** `byFile`: how often each file that is built from the log was found damaged. */
export function watchDamageCounts(registry: Registry, byFile: ReadonlyMap<string, number>): void {
  new Counter({
    name: 'scorebook_damaged_files_total',
    help: 'Damage found in files that are built from the log, and repaired from it.',
    labelNames: ['file'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [file, times] of byFile) this.inc({ file }, times)
    },
  })
}

/**
 * Freshness of revocations on this node. Above 2 s every call queries the store, and is refused if it is unavailable.
 */
export function watchRevocations(registry: Registry, revocations: NodeRevocations): void {
  watchGauge(
    registry,
    'scorebook_revocations_heard_age_seconds',
    'Time since this node knew of every revocation.',
    () => revocations.syncAgeMs() / 1_000,
  )
  watchGauge(
    registry,
    'scorebook_revocations_untold',
    'Revocations of this node that the shared store has not taken yet.',
    () => revocations.unpublished,
  )
}

/** Builds, evictions and memory of window indexes. */
export function watchWindows(
  log: Logger,
  registry: Registry,
  bytes: () => number,
): Pick<WindowsOptions, 'onEvent' | 'counted'> {
  const registers = [registry]
  const counters = {
    made: new Counter({ name: 'scorebook_windows_made_total', help: 'Indexes built or rebuilt.', registers }),
    evicted: new Counter({ name: 'scorebook_windows_evicted_total', help: 'Indexes given up for room.', registers }),
    failed: new Counter({ name: 'scorebook_windows_failed_total', help: 'Indexes that failed.', registers }),
  }
  watchGauge(registry, 'scorebook_windows_bytes', 'Memory of the indexes of windows.', bytes)
  const counted = new Counter({
    name: 'scorebook_windows_counted_total',
    help: 'Windows of large boards that were counted, as no index could answer them.',
    labelNames: ['reason'],
    registers,
  })
  return {
    counted: (reason) => counted.inc({ reason }),
    onEvent: (what, key, error) => {
      counters[what].inc()
      if (what === 'failed')
        log.warn({ ranking: key, failure: failureText(error) }, 'no index of windows: they are counted')
    },
  }
}

/** Progress of the removal of deleted games on this node. */
export function watchDeletions(log: Logger, registry: Registry): DeleteGamesDeps['progress'] {
  const registers = [registry]
  const erased = new Counter({
    name: 'scorebook_game_events_removed_total',
    help: 'Events of deleted games whose leftovers were removed.',
    registers,
  })
  const running = new Map<string, number>()
  const help = 'Deleted games of which this node has not removed everything yet.'
  watchGauge(registry, 'scorebook_games_being_deleted', help, () => running.size)
  return ({ game, events, isDone }) => {
    if (!running.has(game)) log.info({ game }, 'a game was deleted: removing everything that it had')
    const all = (running.get(game) ?? 0) + events
    running.set(game, all)
    erased.inc(events)
    if (!isDone) return
    running.delete(game)
    log.info({ game, events: all }, 'everything of a deleted game is removed')
  }
}
