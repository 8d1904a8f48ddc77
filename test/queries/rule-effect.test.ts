// A preview of other rules: up to where the history is complete, aborted when nobody waits for it, and without what was
// deleted.

import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import { isScore } from '../../queries/past/reading.ts'
import { previewAnswer } from '../../queries/preview-answer.ts'
import { effectOfRules } from '../../queries/rule-effect.ts'
import { BoardFold } from '../../ranking/board-fold/board-fold.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import { Random } from '../random.ts'
import { gate } from '../until.ts'
import { append, BOARD, type PastWorld, pastWorld, playHistory } from './past-world.ts'

const LENGTH = 60
/** More events of the board than a preview reads at once. */
const SEVERAL_PAGES = 700

describe('a preview of other rules', () => {
  function played(unique = true, seed = 7, length = LENGTH): PastWorld {
    const world = pastWorld(unique)
    playHistory(world, new Random(seed), length)
    return world
  }

  /** The same world without the submissions that were deleted, and without the deletions. */
  function withoutDeleted(world: PastWorld): PastWorld {
    const kept = pastWorld(world.board.state.rules.unique)
    const deletions = world.events.filter(({ type }) => type === 'ScoreDeleted')
    const isDeleted = ({ type, stream, revision, data: { id } }: StoredEvent) =>
      type === 'ScoreDeleted' ||
      deletions.some((one) => {
        if (one.stream !== stream) return false
        return one.data.upTo === null ? one.data.id === id : one.revision > revision
      })
    kept.events.push(...world.events.filter((event) => !isDeleted(event)))
    return kept
  }

  interface PreviewOptions {
    readonly signal?: AbortSignal
    readonly maxBytes?: number
    readonly unique?: boolean
    readonly paging?: { readonly limit: number; readonly offset: number } | null
  }

  async function previewOf({ deps, board }: PastWorld, upTo: string | null, options: PreviewOptions = {}) {
    const { signal = new AbortController().signal, maxBytes = 2 ** 27, unique = false, paging = null } = options
    const rules = { ...board.state.rules, ordering: 'asc', unique } as const
    const slices = new TimeSlices(signal)
    const effect = await effectOfRules(deps.queries, { board, rules, upTo, maxBytes, slices })
    return (await previewAnswer(deps.queries, effect, { paging, summary: false })).preview
  }

  it('reads only up to the position where the history is complete', async () => {
    const [whole, cut] = [played(), played()]
    const end = whole.events[LENGTH / 2]?.position ?? ''
    cut.events.splice(LENGTH / 2 + 1)
    const found = await previewOf(whole, end)
    expect(found).to.deep.equal(await previewOf(cut, end))
    expect(found).to.not.deep.equal(await previewOf(whole, whole.events.at(-1)?.position ?? ''))
    expect(found.entries_after).to.be.greaterThan(found.entries_before)
    expect(await previewOf(whole, null)).to.deep.equal({ entries_before: 0, entries_after: 0, changed: 0, top: [] })
  })

  it('pages through all players that move, the biggest move first', async () => {
    const world = played(true, 7, 400)
    const end = world.events.at(-1)?.position ?? ''
    const pageOf = (limit: number, offset: number) => previewOf(world, end, { paging: { limit, offset } })
    const { movers = [], count = 0, next_offset: none, ...plain } = await pageOf(1_000, 0)
    expect(plain).to.deep.equal(await previewOf(world, end))
    expect([movers.length, count, none]).to.deep.equal([plain.changed, plain.changed, null])
    expect(movers.slice(0, 20)).to.deep.equal(plain.top)
    expect(new Set(movers.map(({ player }) => player)).size).to.equal(count)
    const beyond = Math.max(plain.entries_before, plain.entries_after) + 1
    const moves = movers.map(({ before, after }) => Math.abs((before ?? beyond) - (after ?? beyond)))
    expect(moves).to.deep.equal(moves.toSorted((a, b) => b - a))
    const paged: unknown[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const page = await pageOf(3, offset)
      paged.push(...(page.movers ?? []))
      offset = page.next_offset ?? null
    }
    expect(paged).to.deep.equal(movers)
  })

  it('is aborted when its caller disconnects, at the latest before its next page', async () => {
    const world = played(true, 7, SEVERAL_PAGES)
    const { opened, open } = gate()
    world.gate = opened
    const going = new AbortController()
    const preview = previewOf(world, world.events.at(-1)?.position ?? '', { signal: going.signal }).catch(
      (error) => error,
    )
    expect(world.reads()).to.equal(1)
    going.abort(new Error('gone'))
    open()
    expect((await preview).message).to.equal('gone')
    expect(world.reads()).to.equal(1)
  })

  it('is refused if it needs more memory than allowed', async () => {
    const world = played()
    const end = world.events.at(-1)?.position ?? ''
    const whole = await previewOf(world, end)
    const refused = await previewOf(world, end, { maxBytes: 1_000 }).catch((error) => error)
    expect([refused.kind, refused.code]).to.deep.equal(['unprocessable', 'board_too_large'])
    expect(await previewOf(world, end, { maxBytes: 50_000 })).to.deep.equal(whole)
  })

  it('is refused if sorting needs more memory than is left', async () => {
    const world = played(false, 7, 500)
    const end = world.events.at(-1)?.position ?? ''
    const whole = await previewOf(world, end)
    const fold = new BoardFold(world.board.state.rules)
    const players = new Set<string>()
    for (const event of world.events) {
      if (!isScore(event)) continue
      players.add(event.meta.player ?? '')
      fold.take(event, event.meta.player ?? '')
    }
    const folded = fold.bytes * 2 + players.size * 120
    const refused = await previewOf(world, end, { maxBytes: folded }).catch((error) => error)
    expect(refused.code).to.equal('board_too_large')
    expect(await previewOf(world, end, { maxBytes: folded * 2 })).to.deep.equal(whole)
  })

  it('is the same as without the deleted submissions, also if unique changes', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      for (const [isNow, unique] of [
        [true, true],
        [true, false],
        [false, true],
        [false, false],
      ] as const) {
        const world = played(isNow, seed)
        const end = world.events.at(-1)?.position ?? ''
        expect(await previewOf(world, end, { unique })).to.deep.equal(
          await previewOf(withoutDeleted(world), end, { unique }),
        )
      }
    }
  })

  describe('of a board on which each player has a deletion made under other rules', () => {
    const PLAYERS = 600

    function deleted(): PastWorld {
      const world = pastWorld(false)
      for (let player = 0; player < PLAYERS; player++) {
        const stream = `lb_${BOARD}-p${player}`
        for (const n of [1, 2]) {
          const data = { id: `s${player}-${n}`, score: `${n}`, secondary: null, extra: null, playerName: null }
          append(world, stream, 'ScoreSubmitted', data, `p${player}`, player)
        }
        append(world, stream, 'ScoreDeleted', { id: `s${player}-1`, upTo: null }, `p${player}`, player)
      }
      return world
    }

    it('reads the history twice', async () => {
      const world = deleted()
      const found = await previewOf(world, world.events.at(-1)?.position ?? '', { unique: true })
      expect([found.entries_before, found.entries_after]).to.deep.equal([PLAYERS, PLAYERS])
      // A page has 500 events.
      expect(world.reads()).to.equal(2 * Math.ceil((PLAYERS * 3) / 500))
    })

    it('is aborted during the second pass when its caller disconnects', async () => {
      const world = deleted()
      const pages = Math.ceil((PLAYERS * 3) / 500)
      const going = new AbortController()
      const { queries } = world.deps
      const part: typeof queries.history.part = async (...args) => {
        const page = await queries.history.part(...args)
        if (world.reads() === pages + 1) going.abort(new Error('gone'))
        return page
      }
      const deps = { ...world.deps, queries: { ...queries, history: { ...queries.history, part } } }
      const options = { unique: true, signal: going.signal }
      const error = await previewOf({ ...world, deps }, world.events.at(-1)?.position ?? '', options).catch(
        (error) => error,
      )
      expect(error.message).to.equal('gone')
      expect(world.reads()).to.equal(pages + 1)
    })
  })
})
