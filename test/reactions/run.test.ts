// The reaction runner: one subscription for all reactions, none waits for another, and no event is missed.

import { expect } from 'chai'
import type { Position, StoredEvent } from '../../domain/event.ts'
import { reactionView } from '../../reactions/react.ts'
import type { Reaction } from '../../reactions/reaction.ts'
import { runReactions } from '../../reactions/run.ts'
import type { Log } from '../../stores/contract/log.ts'
import { someEvent } from '../contracts/events.ts'
import { createMemoryLog } from '../memory/log.ts'
import { ownsAll } from '../memory/ownership.ts'
import { createMemoryViews } from '../memory/views.ts'
import { gate, turn, until } from '../until.ts'

/** More than may wait in memory for one reaction. */
const MANY = 3_500

/** Events of one type, each of a stream of its own, named by their type and number. */
async function recorded(log: Log, type: string, count: number): Promise<void> {
  for (const name of namesOf(type, count)) {
    const answer = await log.append(`player-${name}`, 'none', [someEvent({ type, data: { text: name } })])
    expect(answer.kind).to.equal('appended')
  }
}

const namesOf = (type: string, count: number) => Array.from({ length: count }, (_, n) => `${type}-${n}`)

/** `subscriptions`: the position that each of them began after. */
function counted(log: Log): { log: Log; subscriptions: (Position | null)[] } {
  const subscriptions: (Position | null)[] = []
  return {
    log: {
      ...log,
      subscribe(after, ...asked) {
        subscriptions.push(after)
        return log.subscribe(after, ...asked)
      },
    },
    subscriptions,
  }
}

function noting(
  name: string,
  takes: readonly string[],
  before: (event: StoredEvent) => Promise<void> = async () => {},
) {
  const reactedTo: string[] = []
  const reaction: Reaction = {
    name,
    takes,
    async react(event) {
      await before(event)
      reactedTo.push(String(event.data.text))
    },
  }
  return { reaction, reactedTo }
}

type Deps = Parameters<typeof runReactions>[0]

/** Runs reactions until `untilHandled` resolves; an unexpected failure of one fails the test. */
async function running(
  deps: Pick<Deps, 'log'> & Partial<Deps>,
  reactions: readonly Reaction[],
  untilHandled: () => Promise<void>,
): Promise<void> {
  const stop = new AbortController()
  const all = { views: createMemoryViews(), failed: expect.fail, ...deps }
  const ended = runReactions(all, reactions, ownsAll, stop.signal)
  try {
    await untilHandled()
  } finally {
    stop.abort()
    await ended
  }
}

describe('the reaction runner', () => {
  it('reads the log once for all reactions', async () => {
    const { log, subscriptions } = counted(createMemoryLog())
    await recorded(log, 'A', 5)
    await recorded(log, 'B', 5)
    const [first, second] = [noting('first', ['A']), noting('second', ['A', 'B'])]
    await running({ log }, [first.reaction, second.reaction], () =>
      until(() => first.reactedTo.length === 5 && second.reactedTo.length === 10),
    )
    expect(first.reactedTo).to.deep.equal(namesOf('A', 5))
    expect(second.reactedTo).to.deep.equal([...namesOf('A', 5), ...namesOf('B', 5)])
    expect(subscriptions).to.deep.equal([null])
  })

  it('does not delay reactions because of one that lags, which handles all events in the end', async () => {
    const log = createMemoryLog()
    const { opened, open } = gate()
    const [slow, fast] = [noting('slow', ['A', 'B'], () => opened), noting('fast', ['B'])]
    const views = createMemoryViews()
    await recorded(log, 'A', MANY)
    await running({ log, views }, [slow.reaction, fast.reaction], async () => {
      await recorded(log, 'B', 5)
      await until(() => fast.reactedTo.length === 5)
      expect(slow.reactedTo).to.deep.equal([])
      open()
      await until(() => slow.reactedTo.length >= MANY + 5)
      await recorded(log, 'C', 1)
      const last = (await log.readAll(null, MANY * 2)).findLast(({ type }) => type === 'B')
      let saved: string | undefined
      while (saved === undefined || saved < String(last?.position)) {
        saved = (await views.checkpoints(reactionView(slow.reaction))).get(0)?.position
        await turn()
      }
    })
    expect(slow.reactedTo).to.deep.equal([...namesOf('A', MANY), ...namesOf('B', 5)])
  })

  it('continues after a restart with unhandled events, without repeating those long handled', async () => {
    const log = createMemoryLog()
    const views = createMemoryViews()
    await recorded(log, 'A', 350)
    const once = new AbortController()
    const first = noting('same', ['A'], async ({ data }) => {
      if (data.text === 'A-250') once.abort()
    })
    await runReactions({ log, views, failed: expect.fail }, [first.reaction], ownsAll, once.signal)
    const again = noting('same', ['A'])
    await running({ log, views }, [again.reaction], () => until(() => again.reactedTo.at(-1) === 'A-349'))
    expect(again.reactedTo).to.deep.equal(namesOf('A', 350).slice(200))
  })

  it('starts at the most advanced reaction, so that a new or lagging one delays none', async () => {
    const { log, subscriptions } = counted(createMemoryLog())
    const views = createMemoryViews()
    await recorded(log, 'A', MANY)
    const old = noting('old', ['B'])
    const head = await log.eventAt((await log.head()) as Position)
    const reached = { position: head?.position as Position, eventId: head?.id as string }
    const view = reactionView(old.reaction)
    await views.prepare({ key: view, collections: [] })
    const checkpoints = new Map([...ownsAll.now().partitions].map((partition) => [partition, reached]))
    await views.commit([{ view, writes: [], checkpoints }])
    const fresh = noting('fresh', ['A', 'B'])
    await running({ log, views }, [old.reaction, fresh.reaction], async () => {
      await recorded(log, 'B', 5)
      await until(() => old.reactedTo.length === 5 && fresh.reactedTo.length === MANY + 5)
    })
    expect(subscriptions).to.deep.equal([reached.position])
    expect(old.reactedTo).to.deep.equal(namesOf('B', 5))
    expect(fresh.reactedTo).to.deep.equal([...namesOf('A', MANY), ...namesOf('B', 5)])
  })

  it('yields to the event loop while it reads dropped events again', async () => {
    const memory = createMemoryLog()
    await recorded(memory, 'A', MANY)
    let [turn, reads] = [0, 0]
    let last = -1
    let together = 0
    const log: Log = {
      ...memory,
      // As long as a page takes from a disk.
      async readAll(after, limit) {
        for (const until = performance.now() + 3; performance.now() < until; );
        if (last === turn) together++
        last = turn
        reads++
        return memory.readAll(after, limit)
      },
    }
    let isOver = false
    const turning = (): void => {
      turn++
      if (!isOver) setImmediate(turning)
    }
    turning()
    const { opened, open } = gate()
    const slow = noting('slow', ['A'], () => opened)
    const fast = noting('fast', ['A'])
    let before = 0
    await running({ log }, [slow.reaction, fast.reaction], async () => {
      await until(() => fast.reactedTo.length === MANY)
      before = reads
      open()
      await until(() => slow.reactedTo.length === MANY)
    }).finally(() => {
      isOver = true
    })
    expect(reads - before).to.be.at.least(Math.floor((MANY - 1_000) / 500))
    expect(together).to.equal(0)
  })

  it('reports a log that does not return delivered events, without an endless loop', async () => {
    const memory = createMemoryLog()
    await recorded(memory, 'A', MANY)
    let isShort = true
    let reads = 0
    const log: Log = {
      ...memory,
      async readAll(after, limit) {
        reads++
        return isShort ? [] : memory.readAll(after, limit)
      },
    }
    const failures: string[] = []
    const failed = (name: string, error: unknown) => {
      failures.push(`${name}: ${(error as Error).message}`)
      isShort = failures.length < 2
    }
    const one = noting('one', ['A'])
    await running({ log, failed }, [one.reaction], () => until(() => one.reactedTo.length === MANY))
    expect(failures).to.deep.equal(
      Array(2).fill('one: the log does not return events that its subscription has delivered'),
    )
    expect(reads).to.be.below(20)
    expect(one.reactedTo).to.deep.equal(namesOf('A', MANY))
  })

  it('retries a failed reaction while other reactions continue', async () => {
    const log = createMemoryLog()
    await recorded(log, 'A', 2)
    let [isBroken, failures] = [true, 0]
    const failing = noting('failing', ['A'], async () => {
      if (isBroken) throw new Error('not now')
    })
    const other = noting('other', ['A'])
    const failed = (name: string) => {
      expect(name).to.equal('failing')
      failures++
    }
    await running({ log, failed }, [failing.reaction, other.reaction], async () => {
      await until(() => failures === 1 && other.reactedTo.length === 2)
      isBroken = false
      await until(() => failing.reactedTo.length === 2)
    })
    expect(failing.reactedTo).to.deep.equal(namesOf('A', 2))
  })
})
