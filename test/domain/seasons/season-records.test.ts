// The records of many seasons in a head and chunks, folded event by event, compared with a plain list of them: which
// season submissions join at every position, and each record. And how little is read and written for one event.

import { expect } from 'chai'
import type { StoredEvent } from '../../../domain/event.ts'
import {
  type BoardSeasons,
  chunkAfter,
  chunkOf,
  headAfter,
  joins,
  recordOf,
  SEASONS_PER_CHUNK,
  type SeasonRecord,
  type SeasonsChunk,
  type SeasonsHead,
  seasonAndPrevious,
  seasonChangedBy,
  seasonJoined,
} from '../../../domain/season-records.ts'
import { Random } from '../../random.ts'
import { rulesOf } from '../../rules.ts'
import { SEED } from '../../seeds.ts'

const SEASONS = 3 * SEASONS_PER_CHUNK + 5
const positionAt = (n: number): string => String(n).padStart(8, '0')
const timeAt = (n: number): string => new Date(n * 1_000).toISOString()
const RULES = rulesOf(true)

/** The events of a leaderboard with seasons of 10 s, between which other events take some positions. */
class Folded {
  readonly chunks = new Map<number, SeasonsChunk>()
  readonly list: SeasonRecord[] = []
  head: SeasonsHead | null = null
  position = 0

  add(type: string, data: StoredEvent['data'], generation: number): void {
    this.position++
    const meta = { v: 1, game: 'g1', board: 'b1', command: '', actor: null, request: null, time: timeAt(this.position) }
    const event: StoredEvent = {
      id: `e${this.position}`,
      type,
      data,
      meta,
      stream: 'board-b1',
      revision: this.position,
      position: positionAt(this.position),
    }
    const active = { generation, rules: RULES }
    this.head = headAfter(this.head, event, active)
    const season = seasonChangedBy(event)
    if (season === null) return
    const chunk = chunkOf(season)
    this.chunks.set(chunk, chunkAfter(this.chunks.get(chunk) ?? null, event, active))
  }

  /** Also notes which chunks are read. */
  seasons(read: number[] = []): BoardSeasons {
    if (this.head === null) throw new Error('it has no seasons')
    const chunk = (number: number) => {
      read.push(number)
      return this.chunks.get(number)?.records ?? []
    }
    return { head: this.head, chunk }
  }

  open(season: number): void {
    const [starts, ends] = [timeAt(10 * season), timeAt(10 * season + 10)]
    this.add('SeasonOpened', { season, starts, ends }, 1)
    this.list.push({ starts, ends, due: ends, opened: positionAt(this.position), closed: null, recorded: false })
  }

  close(season: number, generation: number): void {
    this.add('SeasonClosed', { season }, generation)
    const closed = { position: positionAt(this.position), time: timeAt(this.position), generation, rules: RULES }
    this.list[season - 1] = { ...(this.list[season - 1] as SeasonRecord), closed }
  }

  record(season: number): void {
    this.add('SeasonStandingRecorded', { season, players: 0, entries: 0, first: [] }, 1)
    this.list[season - 1] = { ...(this.list[season - 1] as SeasonRecord), recorded: true }
  }
}

function folded(): Folded {
  const random = new Random(SEED)
  const all = new Folded()
  all.add('SeasonScheduleSet', { schedule: { cron: 'daily', timeZone: 'UTC' } }, 1)
  for (let season = 1; season <= SEASONS; season++) {
    // Where the schedule was removed for a while, there is a gap.
    if (random.chance(0.1)) all.position += 3
    all.open(season)
    all.position += random.below(3)
    if (random.chance(0.5) && season > 1 && all.list[season - 2]?.recorded === false) all.record(season - 1)
    if (season < SEASONS) all.close(season, 1 + Math.floor(season / 50))
  }
  return all
}

/** The plain list: the newest season that was opened before, unless it was closed. */
function joinedInList(list: readonly SeasonRecord[], position: string, time: string): number | null {
  const season = list.filter(({ opened }) => opened < position).length
  const record = list[season - 1]
  if (record === undefined || (record.closed !== null && record.closed.position < position)) return null
  return time >= record.due ? season + 1 : season
}

describe('the records of many seasons', () => {
  const all = folded()

  it('are those of a plain list', () => {
    for (let season = 0; season <= SEASONS + 2; season++) {
      expect(recordOf(all.seasons(), season), `${season}`).to.deep.equal(all.list[season - 1] ?? null)
    }
  })

  it('tell which season a submission joined, at every position', () => {
    for (let n = 0; n <= all.position + 2; n++) {
      for (const position of [positionAt(n), `${positionAt(n)}5`]) {
        const open = all.list.filter(({ opened }) => opened < position).length
        for (const time of [timeAt(0), timeAt(10 * open + 10)]) {
          const due = joinedInList(all.list, position, time)
          const what = `at ${position}`
          expect(seasonJoined(all.seasons(), { position, time }), what).to.equal(due)
          for (const season of [open, open + 1]) {
            const around = seasonAndPrevious(all.seasons(), season)
            expect(joins(around, { position, time }), `${season} ${what}`).to.equal(due === season)
          }
        }
      }
    }
  })

  it('are read from no chunk for a new submission, and from one for an old one', () => {
    const read: number[] = []
    seasonJoined(all.seasons(read), { position: positionAt(all.position + 1), time: timeAt(0) })
    expect(read).to.deep.equal([])
    seasonJoined(all.seasons(read), { position: all.list[SEASONS_PER_CHUNK]?.opened ?? '', time: timeAt(0) })
    expect(new Set(read)).to.deep.equal(new Set([0]))
  })

  it('stay in the chunk of their number', () => {
    const lengths = [...all.chunks.values()].map(({ records }) => records.length)
    expect(lengths).to.deep.equal([SEASONS_PER_CHUNK, SEASONS_PER_CHUNK, SEASONS_PER_CHUNK, 5])
    expect(all.head?.newest).to.have.length(2)
  })
})
