// Reads what the server has for a backup, from a starting point to the head of its log, and writes it to the
// destination as it comes: chunks, each where the server ends it, then the secrets.

import type { StoredEvent } from '../../domain/event.ts'
import { type RevisionFaults, revisionFaultText } from '../../domain/stream-revisions.ts'
import type { BackupEnd, BackupHead, BackupLine, BackupRequest } from './backup-lines.ts'
import { writeChunk } from './chunk.ts'
import { EMPTY_LOG, extended } from './codes.ts'
import type { DeletionCollector } from './deletions.ts'
import { type BackupDestination, BackupFault, type DestinationLock } from './destination.ts'
import { isBeforeRepair, prefixOf, type StartingPoint } from './found-chunks.ts'
import type { CodedChunk, SecretsEntry } from './manifest.ts'
import { createSecretsWriter } from './secrets.ts'

export type OpenSource = (request: BackupRequest, ending: AbortSignal) => AsyncIterable<readonly BackupLine[]>

export interface Reading {
  readonly destination: BackupDestination
  readonly lock: DestinationLock
  readonly open: OpenSource
  readonly ending: AbortSignal
  /** Null: any installation. */
  readonly installation: string | null
  /** Number of events read, the last one's position and the head of the log. */
  readonly onProgress: (events: number, last: string, head: string) => void
}

export interface ReceivedLines {
  readonly head: BackupHead
  readonly end: BackupEnd
  readonly chunks: readonly CodedChunk[]
  readonly secrets: readonly SecretsEntry[]
}

/**
 * `notOurs`: the server did not make the codes. `beforeRepair`: chunks have events as they were before a repair of its
 * log. `diverged`: its log does not have the event at the end of the starting point. Nothing was written then.
 */
type ReceiveOutcome = ReceivedLines | 'notOurs' | 'beforeRepair' | 'diverged'

/**
 * Adds the deletions in new events to `deletions`. Throws BackupFault, and what the source and the destination throw.
 */
export async function receiveLines(
  reading: Reading,
  start: StartingPoint,
  deletions: DeletionCollector,
): Promise<ReceiveOutcome> {
  const { destination, lock, ending } = reading
  const request = { from: start.end?.position ?? null, coded: { after: prefixOf(start.chunks) } }
  const arrival = createArrival(reading, start, deletions)
  let head: BackupHead | null = null
  let end: EndLine | null = null
  for await (const lines of reading.open(request, ending)) {
    lock.check()
    for (const line of lines) {
      if ('log' in line) {
        head = line.log
        accept(destination, reading.installation, head)
        const { installation, repaired = [] } = head
        if (await isBeforeRepair(destination, installation, start.chunks, repaired)) return 'beforeRepair'
      } else if ('faulty' in line) throw faultyLog(line.faulty)
      else if ('end' in line) end = line.end
      else if (head !== null && isExpected(head, start)) await arrival.add(line, head)
    }
  }
  if (ending.aborted) throw new BackupFault('Stopped. The backups before it are whole; the next one continues here.')
  if (head === null || end === null) throw cutShort()
  if ((head.anchor ?? null) !== (start.end?.id ?? null)) return 'diverged'
  if (head.continues === false) return 'notOurs'
  return { head, ...(await arrival.finish(end, head)) }
}

type EndLine = Extract<BackupLine, { readonly end: unknown }>['end']

const isExpected = ({ anchor, continues }: BackupHead, { end }: StartingPoint): boolean =>
  continues === true && anchor === (end?.id ?? null)

const cutShort = () =>
  new BackupFault('The server ended the answer too early. Run the backup again: it continues here.')

function accept(
  destination: BackupDestination,
  expected: string | null,
  { installation, continues }: BackupHead,
): void {
  if (continues === undefined) {
    throw new BackupFault('The server is older than this command and makes no authentication codes. Upgrade it first.')
  }
  if (expected === null || expected === installation) return
  throw new BackupFault(
    `${destination.shown} has backups of another installation, or from before a restore. Use another folder or prefix.`,
  )
}

function faultyLog({ faults, found }: RevisionFaults): BackupFault {
  const [first] = faults
  const named = first === undefined ? '' : ` The first is in the stream ${first.stream}: ${revisionFaultText(first)}.`
  return new BackupFault(
    `The log has ${found} ${found === 1 ? 'gap or duplicate' : 'gaps and duplicates'} in the revisions of its streams, and no backup of ` +
      `it could be restored.${named} Nothing was backed up; earlier backups are unchanged. Stop the server, and run ` +
      '`scorebook history repair --dry-run`, which shows what a repair changes.',
  )
}

/** Takes the lines of events, chunks and secrets. */
function createArrival(
  { destination, lock, onProgress }: Reading,
  { chunks: kept, end: known }: StartingPoint,
  deletions: DeletionCollector,
) {
  const chunks = [...kept]
  const secrets = createSecretsWriter(destination)
  const count = { events: 0, secrets: 0 }
  let pending: StoredEvent[] = []

  return {
    async add(line: BackupLine, { installation, head }: BackupHead): Promise<void> {
      if ('event' in line) {
        const { event } = line
        // Deletions in events that the newest backup has were applied by it.
        if (event.position > (known?.position ?? '')) deletions.add([event])
        pending.push(event)
        count.events++
        if (count.events % PROGRESS_EVERY === 0) onProgress(count.events, event.position, head ?? '')
      } else if ('chunk' in line) {
        lock.check()
        chunks.push(await writeChunk(destination, installation, line.chunk, pending))
        pending = []
        onProgress(count.events, line.chunk.last, head ?? '')
      } else if ('secret' in line) {
        await secrets.add(line.secret)
        count.secrets++
      }
    },
    async finish({ backup, ...sent }: EndLine, { head }: BackupHead): Promise<Omit<ReceivedLines, 'head'>> {
      const isAll = sent.events === count.events && sent.secrets === count.secrets && pending.length === 0
      if (backup === undefined || !isAll) throw cutShort()
      const { entries, sum } = await secrets.finish()
      const { chain, events, last } = chunks.reduce(extended, EMPTY_LOG)
      if (chain !== backup.log_chain || last !== head || events !== backup.events || sum !== backup.secrets_sha256) {
        throw new BackupFault('What arrived is not what the server read. Run the backup again.')
      }
      return { end: backup, chunks, secrets: entries }
    },
  }
}

const PROGRESS_EVERY = 100
