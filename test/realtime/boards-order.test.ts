// Live boards whose reads overtake each other, or fail: the last message is the current state.

import { expect } from 'chai'
import { unsafeCast } from '../../domain/event.ts'
import type { LiveRow } from '../../queries/live-board.ts'
import { type Boards, createBoards } from '../../realtime/boards.ts'
import type { RoomRefusal } from '../../realtime/events.ts'
import type { Batch } from '../../realtime/frames.ts'
import { WATCHES_PER_SOCKET } from '../../realtime/limits.ts'
import type { RoomConnection } from '../../realtime/room-connection.ts'
import { gate, turn, until } from '../until.ts'

const row = (name: string) => unsafeCast<LiveRow>({ rank: 1, player_name: name })

/** Boards in memory and their watchers. Reads return at once unless they are delayed. */
function scene(elapsedMs?: () => number) {
  const present = new Map<string, string>()
  let version = 0
  /** Leaderboard -> the delay of its next read. */
  const held = new Map<string, Promise<void>>()
  const failing = new Set<string>()
  const boards: Boards = createBoards(
    {
      boardIdOf: async (_game, given) => given,
      liveBoard: async (_game, leaderboard) => {
        const rows = [row(present.get(leaderboard) ?? 'nobody')]
        const until = held.get(leaderboard)
        held.delete(leaderboard)
        await until
        if (failing.has(leaderboard)) throw new Error('not now')
        return rows
      },
      boardVersions: async (games) => new Map(Array.from(games, (game) => [game, String(version)])),
      mayStill: async () => true,
    },
    elapsedMs,
  )
  const delayRead = (leaderboard: string) => {
    const { opened, open } = gate()
    held.set(leaderboard, opened)
    return open
  }
  const change = (leaderboard: string, name: string) => {
    present.set(leaderboard, name)
    version++
  }
  /** Waits until the delayed read has begun. */
  const readStarted = async (leaderboard: string) => {
    await until(() => !held.has(leaderboard))
  }
  return { boards, failing, delayRead, readStarted, change }
}

function watcher(boards: Boards) {
  const received: string[] = []
  const socketWriter = { push: ({ texts }: Batch) => void received.push(...texts) }
  const connection = unsafeCast<RoomConnection>({ holder: { game: 'g1' }, isGone: false, socketWriter })
  const watch = async (leaderboard: string) => {
    const asked = { leaderboard, top: 10 }
    await boards.answers.watch(connection, asked, (_event, body) => void received.push(body()))
  }
  /** Waits until the last message names this player. */
  const lastTellsOf = async (name: string) => {
    await until(() => received.at(-1)?.includes(`"${name}"`) === true)
  }
  return { connection, received, watch, lastTellsOf }
}

describe('a read of a live board', () => {
  it('is repeated if a new watcher made it late', async () => {
    const { boards, delayRead, change } = scene()
    const first = watcher(boards)
    change('b1', 'Ada')
    await first.watch('b1')
    const go = delayRead('b1')
    const late = watcher(boards)
    const watching = late.watch('b1')
    await turn()
    change('b1', 'Bob')
    await first.lastTellsOf('Bob')
    go()
    await watching
    await late.lastTellsOf('Bob')
    await first.lastTellsOf('Bob')
    boards.stop()
  })

  it('is discarded if it is late and a new watcher has read since', async () => {
    const { boards, delayRead, readStarted, change } = scene()
    const [first, other] = [watcher(boards), watcher(boards)]
    change('b1', 'Ada')
    await first.watch('b1')
    const go = delayRead('b1')
    change('b1', 'Eve')
    await readStarted('b1')
    change('b1', 'Bob')
    await other.watch('b1')
    go()
    await first.lastTellsOf('Bob')
    change('b1', 'Dan')
    await first.lastTellsOf('Dan')
    const received = first.received.join()
    expect(['Ada', 'Eve', 'Bob', 'Dan'].filter((name) => received.includes(name))).to.deep.equal(['Ada', 'Bob', 'Dan'])
    expect(
      first.received.map((text) => JSON.parse(text.replace(/^2\["board_changed",(.*)\]$/, '$1')).seq),
    ).to.deep.equal([0, 1, 2])
    boards.stop()
  })

  it('for many new watchers updates present watchers at most four times a second, and all converge', async () => {
    let nowMs = 0
    const { boards, change } = scene(() => nowMs)
    const first = watcher(boards)
    await first.watch('b1')
    const all = [first]
    for (let n = 1; n <= 10; n++) {
      change('b1', `p${n}`)
      const next = watcher(boards)
      await next.watch('b1')
      all.push(next)
    }
    expect(first.received.map((text) => /p\d+/.exec(text)?.[0] ?? 'nobody')).to.deep.equal([
      'nobody',
      'p1',
      'p2',
      'p3',
      'p4',
    ])
    // Later watchers got the present state of the others, in the same order.
    expect(all.at(-1)?.received).to.have.length(1)
    expect(all.at(-1)?.received[0]).to.contain('"p4"').and.contain('"seq":4')
    nowMs = 999
    change('b1', 'p11')
    await watcher(boards).watch('b1')
    expect(first.received).to.have.length(5)
    nowMs = 1_000
    for (const one of all) await one.lastTellsOf('p11')
    expect(first.received).to.have.length(6)
    boards.stop()
  })

  it('that fails is repeated, and delays no other board', async () => {
    const { boards, failing, change } = scene()
    const [one, other] = [watcher(boards), watcher(boards)]
    await one.watch('b1')
    await other.watch('b2')
    failing.add('b1')
    change('b1', 'Ada')
    change('b2', 'Bob')
    await other.lastTellsOf('Bob')
    failing.delete('b1')
    await one.lastTellsOf('Ada')
    boards.stop()
  })

  it('is not started for more boards than one connection may watch', async () => {
    const { boards } = scene()
    const { watch } = watcher(boards)
    const asked = Array.from({ length: WATCHES_PER_SOCKET + 3 }, (_, n) => watch(`b${n}`))
    const refused = (await Promise.allSettled(asked)).flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as RoomRefusal).code] : [],
    )
    expect(refused).to.deep.equal(['too_fast', 'too_fast', 'too_fast'])
    boards.stop()
  })
})
