// What has something to say within a tick says it at the tick's end, at once: first rooms, to their members, then
// connections, to their sockets. So a socket is written once, however much it hears in that tick. After a time of quiet
// a tick is one turn of the event loop; where much is said, it is as long as TICK_MS, and longer where telling takes
// long: so a process that has much to do writes less often, not later and later.

import { TICK_MOST_MS, TICK_MS, TICK_OF_TELLING } from './limits.ts'

export interface Flushing {
  flush(): void
}

export interface Tick {
  /** Schedules a flush at the end of this tick; repeated calls before that have no effect. */
  room(room: Flushing): void
  connection(connection: Flushing): void
}

interface TickClock {
  /** Never goes back. */
  elapsedMs(): number
  /** In the next turn of the event loop, where it is less than a millisecond. */
  after(ms: number, due: () => void): void
}

const CLOCK: TickClock = {
  elapsedMs: () => performance.now(),
  after: (ms, due) => void (ms < 1 ? setImmediate(due) : setTimeout(due, ms)),
}

export function createTick(failed: (why: unknown) => void, { elapsedMs, after }: TickClock = CLOCK): Tick {
  let rooms: Flushing[] = []
  let connections: Flushing[] = []
  let isDue = false
  let nextMs = Number.NEGATIVE_INFINITY
  const run = (all: readonly Flushing[]) => {
    for (const one of all) {
      try {
        one.flush()
      } catch (why) {
        failed(why)
      }
    }
  }
  const end = () => {
    const beganMs = elapsedMs()
    const saying = rooms
    rooms = []
    // Their messages are sent in this flush: no further one is scheduled.
    run(saying)
    const hearing = connections
    connections = []
    run(hearing)
    const endedMs = elapsedMs()
    nextMs = endedMs + Math.min(TICK_MOST_MS, Math.max(TICK_MS, TICK_OF_TELLING * (endedMs - beganMs)))
    isDue = false
    if (rooms.length > 0 || connections.length > 0) ask()
  }
  const ask = () => {
    if (isDue) return
    isDue = true
    after(nextMs - elapsedMs(), end)
  }
  const room = (one: Flushing) => {
    rooms.push(one)
    ask()
  }
  const connection = (one: Flushing) => {
    connections.push(one)
    ask()
  }
  return { room, connection }
}
