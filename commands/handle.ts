// The write path: a command is decided and appended by the writer of its stream.

import type { Aggregate, Decision, DomainEvent } from '../domain/decider.ts'
import type { Log } from '../stores/contract/log.ts'
import type { About, Handle, Handled } from './command-batch.ts'
import type { CommandContext } from './command-context.ts'
import { createHandleGroup, type HandleGroup } from './command-group.ts'
import { NO_SNAPSHOTS, type Snapshots } from './snapshots.ts'
import { StreamWriter } from './stream-writer.ts'
import { createWriterCache, MAX_CACHED_STREAMS } from './writer-cache.ts'

export interface Handler {
  /**
   * Decides and records durably. Throws the decision's refusal; 422 `idempotency_key_reused`; 503 `busy` after 10
   * conflicts (this command recorded nothing); 503 `log_unavailable` (outcome unknown, safe to repeat with the same
   * Idempotency-Key). No attempt starts later than 6 s after the call.
   */
  readonly handle: Handle
}

export interface Handlers extends Handler {
  readonly handleGroup: HandleGroup
}

export interface HandlerOptions {
  readonly snapshots?: Snapshots
  /** As for `MAX_CACHED_STREAMS`, which is the default. */
  readonly maxStreams?: number
  /** A monotonic clock with any origin. */
  readonly elapsedMs?: () => number
}

export function createHandler(log: Log, options: HandlerOptions = {}): Handlers {
  const { snapshots = NO_SNAPSHOTS, maxStreams = MAX_CACHED_STREAMS, elapsedMs = () => performance.now() } = options
  const writers = createWriterCache(maxStreams)
  const deps = { log, elapsedMs, snapshots, writers }
  // A writer that is evicted while at work conflicts with its successor as two nodes do.
  const writerOf = <State, Event extends DomainEvent>(aggregate: Aggregate<State, Event>, stream: string) =>
    writers.of(aggregate.name, stream, () => new StreamWriter(deps, aggregate, stream))
  return {
    handleGroup: createHandleGroup(log, writerOf),
    handle<State, Event extends DomainEvent>(
      aggregate: Aggregate<State, Event>,
      about: About,
      context: CommandContext,
      decision: Decision<State, Event>,
    ) {
      return new Promise<Handled<State, Event>>((resolve, reject) => {
        writerOf(aggregate, about.stream).handle([{ about, context, decision, resolve, reject }], log)
      })
    },
  }
}
