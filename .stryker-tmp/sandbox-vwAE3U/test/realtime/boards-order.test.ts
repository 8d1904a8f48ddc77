// Live boards whose reads overtake each other, or fail: the last message is the current state.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { unsafeCast } from '../../domain/event.ts'
import type { LiveRow } from '../../queries/live-board.ts'
import { type Boards, createBoards } from '../../realtime/boards.ts'
import type { RoomRefusal } from '../../realtime/events.ts'
import type { Batch } from '../../realtime/frames.ts'
import { WATCHES_PER_SOCKET } from '../../realtime/limits.ts'
import type { RoomConnection } from '../../realtime/room-connection.ts'
import { gate, until } from '../until.ts'

const row = (name: string) => unsafeCast<LiveRow>({ rank: 1, player_name: name })

/** What is there, read at once unless it is held back; and its watchers. */
function scene(elapsedMs?: () => number) {
  const present = new Map<string, string>()
  let mark = 0
  /** Leaderboard -> what holds its next reading back. */
  const held = new Map<string, Promise<void>>()
  const failing = new Set<string>()
  const boards: Boards = createBoards(
    {
      liveBoard: async (_game, leaderboard) => {
        const rows = [row(present.get(leaderboard) ?? 'nobody')]
        const until = held.get(leaderboard)
        held.delete(leaderboard)
        await until
        if (failing.has(leaderboard)) throw new Error('not now')
        return rows
      },
      boardVersions: async (games) => new Map(Array.from(games, (game) => [game, String(mark)])),
      mayStill: async () => true,
    },
    elapsedMs,
  )
  const holdBack = (leaderboard: string) => {
    const { opened, open } = gate()
    held.set(leaderboard, opened)
    return open
  }
  const change = (leaderboard: string, name: string) => {
    present.set(leaderboard, name)
    mark++
  }
  /** Waits until the reading that is held back has begun. */
  const begun = async (leaderboard: string) => {
    await until(() => !held.has(leaderboard))
  }
  return { boards, failing, holdBack, begun, change }
}

function watcher(boards: Boards) {
  const told: string[] = []
  const wire = { push: ({ texts }: Batch) => void told.push(...texts) }
  const connection = unsafeCast<RoomConnection>({ holder: { game: 'g1' }, isGone: false, wire })
  const watch = async (leaderboard: string) => {
    const asked = { leaderboard, top: 10 }
    await boards.answers.watch(connection, asked, (_event, body) => void told.push(body()))
  }
  /** Waits until the last message names this player. */
  const lastTellsOf = async (name: string) => {
    await until(() => told.at(-1)?.includes(`"${name}"`) === true)
  }
  return { connection, told, watch, lastTellsOf }
}

describe('a live board that is read', () => {
  it('that is late because of a new watcher is corrected by reading again', async () => {
    const { boards, holdBack, change } = scene()
    const first = watcher(boards)
    change('b1', 'Ada')
    await first.watch('b1')
    const go = holdBack('b1')
    const late = watcher(boards)
    const watching = late.watch('b1')
    await new Promise((next) => setImmediate(next))
    change('b1', 'Bob')
    await first.lastTellsOf('Bob')
    go()
    await watching
    await late.lastTellsOf('Bob')
    await first.lastTellsOf('Bob')
    boards.stop()
  })

  it('that is late is discarded when a new watcher has read since', async () => {
    const { boards, holdBack, begun, change } = scene()
    const [first, other] = [watcher(boards), watcher(boards)]
    change('b1', 'Ada')
    await first.watch('b1')
    const go = holdBack('b1')
    change('b1', 'Eve')
    await begun('b1')
    change('b1', 'Bob')
    await other.watch('b1')
    go()
    await first.lastTellsOf('Bob')
    change('b1', 'Dan')
    await first.lastTellsOf('Dan')
    const told = first.told.join()
    expect(['Ada', 'Eve', 'Bob', 'Dan'].filter((name) => told.includes(name))).to.deep.equal(['Ada', 'Bob', 'Dan'])
    expect(first.told.map((text) => JSON.parse(text.replace(/^2\["board_changed",(.*)\]$/, '$1')).seq)).to.deep.equal([
      0, 1, 2,
    ])
    boards.stop()
  })

  it('for many new watchers reaches the present ones four times a second, and all converge', async () => {
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
    expect(first.told.map((text) => /p\d+/.exec(text)?.[0] ?? 'nobody')).to.deep.equal([
      'nobody',
      'p1',
      'p2',
      'p3',
      'p4',
    ])
    // Later watchers got what the others held, in their order.
    expect(all.at(-1)?.told).to.have.length(1)
    expect(all.at(-1)?.told[0]).to.contain('"p4"').and.contain('"seq":4')
    nowMs = 999
    change('b1', 'p11')
    await watcher(boards).watch('b1')
    expect(first.told).to.have.length(5)
    nowMs = 1_000
    for (const one of all) await one.lastTellsOf('p11')
    expect(first.told).to.have.length(6)
    boards.stop()
  })

  it('in vain is read again, and holds up no other', async () => {
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

  it('for one who asks for many at once is read for no more than one may watch', async () => {
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
