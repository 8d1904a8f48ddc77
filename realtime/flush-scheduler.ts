// The flush scheduler. At the end of each interval it flushes rooms to their members, then connections to their
// sockets, so each socket is written once per interval. After an idle time an interval is one event-loop iteration;
// under load it lasts FLUSH_INTERVAL_MS, and longer if flushing is slow. A busy process therefore writes less often
// instead of falling behind.

import { FLUSH_INTERVAL_FACTOR, FLUSH_INTERVAL_MAX_MS, FLUSH_INTERVAL_MS } from './limits.ts'

export interface Flushing {
  flush(): void
}

export interface FlushScheduler {
  /** Schedules a flush at the end of this interval. */
  room(room: Flushing): void
  connection(connection: Flushing): void
}

interface FlushClock {
  /** Monotonic. */
  elapsedMs(): number
  /** Calls `due` after `ms`; if that is below 1 ms, in the next event-loop iteration. */
  after(ms: number, due: () => void): void
}

const CLOCK: FlushClock = {
  elapsedMs: () => performance.now(),
  after: (ms, due) => void (ms < 1 ? setImmediate(due) : setTimeout(due, ms)),
}

export function createFlushScheduler(
  failed: (error: unknown) => void,
  { elapsedMs, after }: FlushClock = CLOCK,
): FlushScheduler {
  let rooms: Flushing[] = []
  let connections: Flushing[] = []
  let isDue = false
  let nextMs = Number.NEGATIVE_INFINITY
  const run = (all: readonly Flushing[]) => {
    for (const one of all) {
      try {
        one.flush()
      } catch (error) {
        failed(error)
      }
    }
  }
  const end = () => {
    const beganMs = elapsedMs()
    const dueRooms = rooms
    rooms = []
    // `isDue` is still true, so connections that rooms schedule now are flushed below, not in another interval.
    run(dueRooms)
    const dueConnections = connections
    connections = []
    run(dueConnections)
    const endedMs = elapsedMs()
    nextMs =
      endedMs +
      Math.min(FLUSH_INTERVAL_MAX_MS, Math.max(FLUSH_INTERVAL_MS, FLUSH_INTERVAL_FACTOR * (endedMs - beganMs)))
    isDue = false
    if (rooms.length > 0 || connections.length > 0) schedule()
  }
  const schedule = () => {
    if (isDue) return
    isDue = true
    after(nextMs - elapsedMs(), end)
  }
  const room = (one: Flushing) => {
    rooms.push(one)
    schedule()
  }
  const connection = (one: Flushing) => {
    connections.push(one)
    schedule()
  }
  return { room, connection }
}
