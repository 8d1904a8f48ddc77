// Verifies that the revisions of the log have no gap and no duplicate, and that the views match the log: rebuilds all
// views in a scratch store and compares them with the live ones byte for byte at one position, which moves forward with
// the live ones. Writes only to the scratch store. Memory: some thousand documents and events, some 60 bytes per
// stream, and the page cache of the scratch store; beside it pages of its file that are mapped into memory.

import type { RevisionFaults } from '../../domain/stream-revisions.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { checkRevisions } from '../../stores/support/check-revisions.ts'
import { shareOf } from '../../stores/support/positions.ts'
import { type Projection, viewKey } from '../projection.ts'
import { LogAnchorMismatch } from '../start.ts'
import { compareDocuments } from './documents.ts'
import { LiveViews } from './live-views.ts'
import { compareRankings } from './rankings.ts'
import { collectionsOf, isParked, rebuildViews } from './rebuilt-views.ts'
import { Findings, type Report } from './report.ts'
import type { VerifyDeps, VerifyProgress } from './verify-context.ts'

/** Rejects with the signal's reason, and with LogAnchorMismatch if the live views were built from another log. */
export async function verify(
  deps: VerifyDeps,
  onProgress: (progress: VerifyProgress) => void,
  signal: AbortSignal,
): Promise<Report> {
  const findings = new Findings()
  const existing = await deps.live.list()
  const exists = (projection: Projection) => existing.includes(viewKey(projection))
  for (const projection of deps.projections.filter((one) => !exists(one))) {
    findings.add({
      view: viewKey(projection),
      collection: null,
      id: null,
      field: null,
      live: null,
      rebuilt: 'the view',
    })
  }
  const projections = deps.projections.filter(exists)
  await checkAnchors({ ...deps, projections })

  const head = (await deps.log.head()) ?? ''
  const revisions = await revisionFaults(deps, head, progressReporter('checking', onProgress), signal)
  if (revisions.found > 0) return notCompared(findings, revisions)
  const building = progressReporter('rebuilding', onProgress)
  const reportingLog = reportingReads(deps, (position, read) => building(read, shareOf(position, head), null))
  const rebuiltViews = await rebuildViews(reportingLog, deps.history, deps.scratch, projections)
  const live = new LiveViews({ ...deps, projections }, rebuiltViews, signal)
  await live.align()

  const comparing = progressReporter('comparing', onProgress)
  const targets = projections.flatMap((projection) => collectionsOf(projection).map((name) => ({ projection, name })))
  let documents = 0
  let parked = 0
  for (const [index, { projection, name }] of targets.entries()) {
    const at = `${viewKey(projection)}/${name}`
    const compared = (more: number) => comparing(documents + more, index / targets.length, at)
    const found = await compareDocuments({ deps, rebuiltViews, live, signal, compared }, projection, name)
    findings.add(...found.differences)
    documents += found.documents
    if (isParked(name)) parked += found.documents
  }
  let ranked: number | null = deps.rankings === null ? null : 0
  for (const projection of projections) {
    if (deps.rankings === null) break
    const verifying = { deps, rebuiltViews, live, signal, compared: () => {} }
    const found = await compareRankings(verifying, deps.rankings, projection)
    findings.add(...found.differences)
    ranked = (ranked ?? 0) + found.sortKeys
  }
  const { differences, found } = findings
  const equal = found === 0 && !live.isBehind && revisions.found === 0
  const { at: position, events } = rebuiltViews
  return { equal, position, events, documents, ranked, parked, behind: live.isBehind, differences, found, revisions }
}

/** Reads of a faulty stream may fail, and views of it say nothing. */
const notCompared = ({ differences, found }: Findings, revisions: RevisionFaults): Report => ({
  ...{ equal: false, position: '', events: 0, documents: 0, ranked: null, parked: 0, behind: false },
  ...{ differences, found, revisions },
})

async function revisionFaults(
  deps: VerifyDeps,
  head: string,
  report: ReturnType<typeof progressReporter>,
  signal: AbortSignal,
): Promise<RevisionFaults> {
  const checking = checkRevisions(deps)
  for (;;) {
    const { done, value } = await checking.next()
    if (done === true) return { faults: value.faults, found: value.found }
    report(value.events, shareOf(value.position, head), null)
    signal.throwIfAborted()
    await yieldToEventLoop()
  }
}

async function checkAnchors({ log, live, projections }: VerifyDeps): Promise<void> {
  const ids = new Map<string, string | null>()
  for (const projection of projections) {
    for (const { position, eventId } of (await live.checkpoints(viewKey(projection))).values()) {
      if (!ids.has(position)) ids.set(position, (await log.eventAt(position))?.id ?? null)
      const id = ids.get(position) ?? null
      if (id !== eventId) throw new LogAnchorMismatch(viewKey(projection), position, id !== null)
    }
  }
}

/** The log, reporting after each page how far it was read. */
function reportingReads({ log }: VerifyDeps, report: (position: string, read: number) => void): VerifyDeps['log'] {
  let read = 0
  return {
    ...log,
    readAll: async (after, limit) => {
      const events = await log.readAll(after, limit)
      read += events.length
      report(events.at(-1)?.position ?? after ?? '', read)
      return events
    },
  }
}

function progressReporter(phase: VerifyProgress['phase'], onProgress: (progress: VerifyProgress) => void) {
  const startedMs = performance.now()
  return (done: number, share: number, at: string | null) => {
    const seconds = (performance.now() - startedMs) / 1_000
    const eta = share > 0 ? Math.round((seconds * (1 - share)) / share) : null
    onProgress({ phase, done, share, per_second: Math.round(done / Math.max(seconds, 0.001)), eta_seconds: eta, at })
  }
}
