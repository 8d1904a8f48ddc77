// What has something to say within a tick says it at the tick's end, at once: first rooms, to their members, then connections,
// to their sockets. So a socket is written once, however much it hears in that tick. After a time of quiet a tick is one turn of
// the event loop; where much is said, it is as long as TICK_MS.

import { TICK_MS } from './limits.ts'

export interface Flushing {
  flush(): void
}

export interface Tick {
  /** Has it flushed at the end of this tick; whoever asks again before asks for the same. */
  room(room: Flushing): void
  connection(connection: Flushing): void
}

export function createTick(failed: (why: unknown) => void): Tick {
  let rooms: Flushing[] = []
  let connections: Flushing[] = []
  let isDue = false
  let endedMs = Number.NEGATIVE_INFINITY
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
    isDue = false
    const saying = rooms
    rooms = []
    run(saying)
    const hearing = connections
    connections = []
    run(hearing)
    endedMs = performance.now()
  }
  const add = (list: () => Flushing[]) => (one: Flushing) => {
    list().push(one)
    if (isDue) return
    isDue = true
    const leftMs = endedMs + TICK_MS - performance.now()
    if (leftMs < 1) setImmediate(end)
    else setTimeout(end, leftMs)
  }
  return { room: add(() => rooms), connection: add(() => connections) }
}
