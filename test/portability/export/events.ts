// Events to export: one of each type, and any number of submissions.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { StoredEvent } from '../../../domain/event.ts'
import { ArchiveFault, type Format, type Manifest } from '../../../portability/export/manifest.ts'
import { verifyArchive } from '../../../portability/export/verify.ts'
import type { About } from '../../../portability/export/write.ts'
import { createArchive } from '../../../portability/export/write.ts'

const FROZEN = new URL('../../domain/frozen-events.json', import.meta.url)

export const oneOfEach = (): StoredEvent[] => JSON.parse(readFileSync(FROZEN, 'utf8'))

const positionAt = (n: number): string => n.toString(16).padStart(16, '0')
const timeAt = (n: number): string => new Date(Date.parse('2026-11-01T00:00:00.000Z') + n * 1_000).toISOString()
const idAt = (n: number): string => `00000000-0000-8000-8000-${n.toString(16).padStart(12, '0')}`

/** Numbers events as one log would: consecutive positions and revisions, times one second apart. */
export function asOneLog(events: readonly StoredEvent[]): StoredEvent[] {
  const lengths = new Map<string, number>()
  return events.map((event, n) => {
    const { stream, meta } = event
    const revision = lengths.get(stream) ?? 0
    lengths.set(stream, revision + 1)
    return { ...event, position: positionAt(n + 1), revision, id: idAt(n), meta: { ...meta, time: timeAt(n) } }
  })
}

/** Submissions of one player on one board, one second apart. */
export function submissions(count: number, name: string | null = null): StoredEvent[] {
  return Array.from({ length: count }, (_, n): StoredEvent => {
    const [time, id] = [timeAt(n), idAt(n)]
    return {
      position: positionAt(n + 1),
      stream: 'lb_b1-p1',
      revision: n,
      id,
      type: 'ScoreSubmitted',
      data: { id: `s${n}`, score: `${n}.5`, secondary: null, extra: null, playerName: name },
      meta: { v: 1, game: 'g1', board: 'b1', player: 'p1', command: id, actor: 'sk_a', request: 'r', time },
    }
  })
}

const root = mkdtempSync(join(tmpdir(), 'scorebook-archive-'))
process.once('exit', () => rmSync(root, { recursive: true, force: true }))
let folders = 0

/** A path that does not exist yet. It is removed after the tests. */
export const freshPath = (): string => join(mkdtempSync(join(root, 'in-')), `export-${++folders}`)

export const ABOUT: About = {
  version: '0.1.0',
  made: '2026-11-21T07:05:01.123Z',
  installation: 'a1b2c3',
  scope: { whole: true },
}

export async function exported(
  events: readonly StoredEvent[],
  format: Format = 'ndjson',
  about: About = ABOUT,
  bom = false,
): Promise<{ folder: string; manifest: Manifest }> {
  const folder = freshPath()
  const archive = await createArchive(folder, format, { bom })
  for (let at = 0; at < events.length; at += 100) await archive.add(events.slice(at, at + 100))
  return { folder, manifest: await archive.finish(about) }
}

/** The error text of `history verify` for an export. */
export async function faultOf(folder: string): Promise<string> {
  const failure = await verifyArchive(folder).catch((error: unknown) => error)
  expect(failure).to.be.instanceOf(ArchiveFault)
  return (failure as Error).message
}
