// Live boards whose reads overtake each other, or fail, and whose seasons end: the last message is the current state.

import { expect } from 'chai'
import { unsafeCast } from '../../domain/event.ts'
import type { LiveBoard, LiveRow } from '../../queries/live-board.ts'
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
  let nowMs = 0
  /** Leaderboard -> its current season; null: none is open. */
  const seasons = new Map<string, LiveBoard['season']>()
  /** Leaderboard -> the delay of its next read. */
  const held = new Map<string, Promise<void>>()
  const failing = new Set<string>()
  const boards: Boards = createBoards(
    {
      boardIdOf: async (_game, given) => given,
      liveBoard: async ({ leaderboard, season: wanted }) => {
        const rows = [row(present.get(leaderboard) ?? 'nobody')]
        const season = wanted === null ? null : (seasons.get(leaderboard) ?? null)
        const until = held.get(leaderboard)
        held.delete(leaderboard)
        await until
        if (failing.has(leaderboard)) throw new Error('not now')
        return wanted !== null && season === null ? 'no_seasons' : { rows, season }
      },
      boardVersions: async (games) => new Map(Array.from(games, (game) => [game, String(version)])),
      mayStill: async () => true,
      now: () => nowMs,
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
  /** The current season, as reads find it from now on; nothing says that the board has changed. */
  const setSeason = (leaderboard: string, season: LiveBoard['season']) => void seasons.set(leaderboard, season)
  const setNow = (ms: number) => {
    nowMs = ms
  }
  /** Waits until the delayed read has begun. */
  const readStarted = async (leaderboard: string) => {
    await until(() => !held.has(leaderboard))
  }
  return { boards, failing, delayRead, readStarted, change, setSeason, setNow }
}

function watcher(boards: Boards) {
  const received: string[] = []
  const socketWriter = { push: ({ texts }: Batch) => void received.push(...texts) }
  const connection = unsafeCast<RoomConnection>({ holder: { game: 'g1' }, isGone: false, socketWriter })
  const watch = async (leaderboard: string, season?: 'current') => {
    const asked = { leaderboard, top: 10, ...(season && { season }) }
    await boards.answers.watch(connection, asked, (_event, body) => void received.push(body()))
  }
  const unwatch = async (leaderboard: string) => {
    await boards.answers.unwatch(connection, { leaderboard }, (_event, body) => void received.push(body()))
  }
  /** Waits until the last message names this player. */
  const lastTellsOf = async (name: string) => {
    await until(() => received.at(-1)?.includes(`"${name}"`) === true)
  }
  /** The event of each message (`answer`: of an answer), its season, its `seq` and its player. */
  const told = () =>
    received.map((text) => {
      const event = /^2\["(\w+)"/.exec(text)?.[1] ?? 'answer'
      return [event, ...[/"season":(\d+)/, /"seq":(\d+)/, /"player_name":"(\w+)"/].map((one) => one.exec(text)?.[1])]
    })
  return { connection, received, watch, unwatch, lastTellsOf, told }
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

describe('a live board of the current season', () => {
  it('is sent again when the season ends, although nothing is recorded', async () => {
    const { boards, change, setSeason, setNow } = scene()
    setSeason('b1', { number: 1, endsMs: 1_000 })
    change('b1', 'Ada')
    const { watch, received, told } = watcher(boards)
    await watch('b1', 'current')
    setSeason('b1', { number: 2, endsMs: null })
    setNow(1_000)
    await until(() => received.length === 2)
    change('b1', 'Bob')
    await until(() => received.length === 3)
    boards.stop()
    expect(told()).to.deep.equal([
      ['answer', '1', '0', 'Ada'],
      ['board', '2', '1', 'Ada'],
      ['board_changed', '2', '2', 'Bob'],
    ])
  })

  it('is refused to all who watch it once no season is open, and sends nothing after that', async () => {
    const { boards, change, setSeason } = scene()
    setSeason('b1', { number: 1, endsMs: null })
    const [one, other, whole] = [watcher(boards), watcher(boards), watcher(boards)]
    for (const { watch } of [one, other]) await watch('b1', 'current')
    await whole.watch('b1')
    setSeason('b1', null)
    change('b1', 'Ada')
    await whole.lastTellsOf('Ada')
    await until(() => other.received.length >= 3)
    setSeason('b1', { number: 2, endsMs: null })
    change('b1', 'Bob')
    await whole.lastTellsOf('Bob')
    boards.stop()
    const detail = 'Leaderboard b1 has no open season: watch it without `season`.'
    for (const { received } of [one, other]) {
      expect(received.slice(1)).to.deep.equal([
        `2["refused",${JSON.stringify({ event: 'watch', code: 'no_seasons', detail })}]`,
        '2["unwatched",{"leaderboard":"b1"}]',
      ])
    }
    expect(whole.told().map(([event]) => event)).to.deep.equal(['answer', 'board_changed', 'board_changed'])
  })

  it('continues if a late read found no open season, and a new watcher has found one since', async () => {
    const { boards, delayRead, readStarted, change, setSeason } = scene()
    const [first, other] = [watcher(boards), watcher(boards)]
    setSeason('b1', { number: 1, endsMs: null })
    await first.watch('b1', 'current')
    setSeason('b1', null)
    const go = delayRead('b1')
    change('b1', 'Ada')
    await readStarted('b1')
    setSeason('b1', { number: 2, endsMs: null })
    await other.watch('b1', 'current')
    go()
    change('b1', 'Bob')
    for (const { lastTellsOf } of [first, other]) await lastTellsOf('Bob')
    boards.stop()
    expect(first.told()).to.deep.equal([
      ['answer', '1', '0', 'nobody'],
      ['board', '2', '1', 'Ada'],
      ['board_changed', '2', '2', 'Bob'],
    ])
  })

  it('counts as an update among the four of a second when the season changes', async () => {
    let elapsedMs = 0
    const { boards, setSeason } = scene(() => elapsedMs)
    setSeason('b1', { number: 1, endsMs: null })
    const first = watcher(boards)
    await first.watch('b1', 'current')
    for (let number = 2; number <= 7; number++) {
      setSeason('b1', { number, endsMs: null })
      await watcher(boards).watch('b1', 'current')
    }
    const seasons = () => first.told().map(([, season]) => season)
    expect(seasons()).to.deep.equal(['1', '2', '3', '4', '5'])
    elapsedMs = 1_000
    await until(() => first.received.length === 6)
    boards.stop()
    expect(seasons()).to.deep.equal(['1', '2', '3', '4', '5', '7'])
  })

  it('replaces an earlier watch of the same board, even if that is still being read', async () => {
    const { boards, delayRead, change, setSeason } = scene()
    setSeason('b1', { number: 1, endsMs: null })
    const { watch, told, lastTellsOf } = watcher(boards)
    const go = delayRead('b1')
    const watching = Promise.all([watch('b1'), watch('b1', 'current')])
    await turn()
    go()
    await watching
    change('b1', 'Ada')
    await lastTellsOf('Ada')
    await watch('b1')
    change('b1', 'Bob')
    await lastTellsOf('Bob')
    boards.stop()
    expect(told()).to.deep.equal([
      ['answer', undefined, '0', 'nobody'],
      ['answer', '1', '0', 'nobody'],
      ['board_changed', '1', '1', 'Ada'],
      ['answer', undefined, '0', 'Ada'],
      ['board_changed', undefined, '1', 'Bob'],
    ])
  })

  it('is no longer watched after an unwatch that was sent while its watch was being read', async () => {
    const { boards, delayRead, change, setSeason } = scene()
    setSeason('b1', { number: 1, endsMs: null })
    const [first, other] = [watcher(boards), watcher(boards)]
    const go = delayRead('b1')
    const watching = Promise.all([first.watch('b1', 'current'), first.unwatch('b1')])
    await turn()
    go()
    await watching
    await other.watch('b1', 'current')
    change('b1', 'Ada')
    await other.lastTellsOf('Ada')
    boards.stop()
    expect(first.received).to.have.length(2)
    expect(first.received[1]).to.equal('{"leaderboard":"b1"}')
  })
})
