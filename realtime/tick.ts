// What has something to say within a turn of the event loop says it at the turn's end, at once: first rooms, to their members,
// then connections, to their sockets. So a socket is written once, however much it hears in that turn.

export interface Flushing {
  flush(): void
}

export interface Tick {
  /** Has it flushed at the end of this turn; whoever asks again before asks for the same. */
  room(room: Flushing): void
  connection(connection: Flushing): void
}

export function createTick(failed: (why: unknown) => void): Tick {
  let rooms: Flushing[] = []
  let connections: Flushing[] = []
  let isDue = false
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
  }
  const add = (list: () => Flushing[]) => (one: Flushing) => {
    list().push(one)
    if (isDue) return
    isDue = true
    setImmediate(end)
  }
  return { room: add(() => rooms), connection: add(() => connections) }
}
