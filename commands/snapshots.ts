// Snapshots of the states of long streams, stored with the views, so that a stream need not be folded from its start.
// They are disposable: a snapshot that is missing, of another form or of another log is ignored, and the stream is read
// instead.

import type { Aggregate, DomainEvent } from '../domain/decider.ts'
import { type JsonObject, type Position, unsafeCast } from '../domain/event.ts'
import { lru } from '../runtime/lru.ts'
import type { Log } from '../stores/contract/log.ts'
import type { Views } from '../stores/contract/views.ts'
import { type StreamState, unfolded } from './fold.ts'

/** Minimum events between snapshots of a stream; more for larger states, so that the cost per event stays constant. */
const EVERY = 1_000
/** Larger states get no snapshot: MongoDB documents end at 16 MiB. */
const MAX_ENTRIES = 250_000
const MAX_CHARACTERS = 8 * 1024 * 1024
const MAX_CACHED_STREAMS = 20_000
const COLLECTION = 'snapshots'
/** The name of the view that holds them. */
export const SNAPSHOTS = 'snapshots'
const VIEW = { key: `${SNAPSHOTS}@1`, collections: [{ name: COLLECTION, indexes: {} }] }
/** Position of the write that removes a snapshot; no later write is newer. */
const REMOVED_POS = '9'.repeat(16)

export interface Snapshots {
  /** The state to continue folding from: the last snapshot, else the initial state. */
  latest<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: string,
  ): Promise<StreamState<State>>
  /** Called with each recorded state; stores one from time to time, in the background. Never throws. */
  note<State, Event extends DomainEvent>(
    aggregate: Aggregate<State, Event>,
    stream: string,
    at: StreamState<State>,
  ): void
}

/** For handlers with short streams only. */
export const NO_SNAPSHOTS: Snapshots = { latest: async (aggregate) => unfolded(aggregate), note: () => {} }

interface StoredSnapshot {
  readonly form: number
  readonly revision: number
  readonly time: string
  readonly position: Position | null
  /** Id of the event at that revision, to detect a snapshot of another log. */
  readonly event: string
  readonly state: JsonObject
}

export function createSnapshots(log: Log, views: Views, failed: (error: unknown) => void): Snapshots {
  const storedAt = lru<string, number>(MAX_CACHED_STREAMS)
  const store = createSnapshotStore(views)
  const forget = (error: unknown): null => {
    store.forget()
    failed(error)
    return null
  }

  async function eventAt(stream: string, revision: number): Promise<string | null> {
    return (await log.readStream(stream, revision, 1))[0]?.id ?? null
  }

  async function write(stream: string, at: StreamState<unknown>, form: number, state: JsonObject): Promise<void> {
    const { revision, time, position } = at
    const event = await eventAt(stream, revision)
    if (event === null || JSON.stringify(state).length > MAX_CHARACTERS) return
    await store.write(stream, { form, revision, time, position, event, state })
  }

  return {
    async latest(aggregate, stream) {
      const { snapshot } = aggregate
      if (snapshot === undefined) return unfolded(aggregate)
      const stored = await store.read(stream).catch(forget)
      if (stored === null || stored.form !== snapshot.form) return unfolded(aggregate)
      const { revision, time, position, event, state } = stored
      if ((await eventAt(stream, revision)) !== event) return unfolded(aggregate)
      storedAt.set(stream, revision)
      return { state: snapshot.read(state), revision, time, position }
    },
    note(aggregate, stream, folded) {
      const { snapshot, size } = aggregate
      if (snapshot === undefined) return
      const entries = size?.(folded.state) ?? 0
      const since = folded.revision - (storedAt.get(stream) ?? -1)
      if (since < EVERY || since < entries) return
      storedAt.set(stream, folded.revision)
      if (entries > MAX_ENTRIES) return
      write(stream, folded, snapshot.form, snapshot.write(folded.state)).catch(forget)
    },
  }
}

/** Removes the snapshots of these streams permanently. */
export async function removeSnapshots(
  views: Pick<Views, 'commit' | 'list'>,
  streams: readonly string[],
): Promise<void> {
  if (!(await views.list()).includes(VIEW.key)) return
  const writes = streams.map((id) => ({ collection: COLLECTION, id, pos: REMOVED_POS, body: null }))
  await views.commit([{ view: VIEW.key, writes, checkpoints: new Map() }])
}

interface SnapshotStore {
  read(stream: string): Promise<StoredSnapshot | null>
  write(stream: string, snapshot: StoredSnapshot): Promise<void>
  /** Call it after a failure: the next call prepares the view again. */
  forget(): void
}

function createSnapshotStore(views: Views): SnapshotStore {
  let prepared: Promise<void> | null = null
  const prepare = (): Promise<void> => {
    prepared ??= views.prepare(VIEW)
    return prepared
  }
  return {
    async read(stream) {
      await prepare()
      const [document] = await views.get(VIEW.key, COLLECTION, [stream])
      return unsafeCast<StoredSnapshot | null>(document?.body ?? null)
    },
    async write(stream, { form, revision, time, position, event, state }) {
      await prepare()
      const body = { form, revision, time, position, event, state }
      const write = { collection: COLLECTION, id: stream, pos: String(revision).padStart(16, '0'), body }
      await views.commit([{ view: VIEW.key, writes: [write], checkpoints: new Map() }])
    },
    forget: () => {
      prepared = null
    },
  }
}
