// Whether submissions became their player's best one of a season, compared with a model of all submissions; and how
// much of the stream is read for it.

import { expect } from 'chai'
import { type IsImproved, readingImprovements } from '../../commands/season-improvements.ts'
import type { Rules } from '../../domain/board-rules.ts'
import type { Decimal } from '../../domain/decimal.ts'
import type { NewEvent, Position } from '../../domain/event.ts'
import { scoreStream } from '../../domain/score.ts'
import { type SeasonRecord, seasonAndPrevious } from '../../domain/season-records.ts'
import type { Log } from '../../stores/contract/log.ts'
import { appended, someEvent, someEvents } from '../contracts/events.ts'
import { createMemoryLog } from '../memory/log.ts'
import { Random } from '../random.ts'
import { seasonsOfRecords } from '../seasons-of-records.ts'
import { SEED, sized } from '../seeds.ts'

const RULES: Rules = { ordering: 'desc', secondaryOrdering: 'desc', unique: true, minScore: null, maxScore: null }
const STREAM = scoreStream('board', 'ada')
const DAYS = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04']
const startOf = (season: number): string => `${DAYS[season - 1]}T00:00:00.000Z`
/** Most events before a submission, with its own, that are read before the events of a season. */
const NEAREST = 17

interface Sent {
  readonly id: string
  readonly revision: number
  readonly season: number | null
  readonly score: number
  readonly secondary: number | null
}

/** A player's stream and the seasons of the board, each a day long. */
class Rig {
  readonly log = createMemoryLog()
  readonly records: SeasonRecord[] = []
  readonly sent: Sent[] = []
  /** Those that were left just before each submission. */
  readonly leftBefore = new Map<number, readonly Sent[]>()
  /** Events of the player's stream that were read. */
  read = 0
  readonly #counting: Pick<Log, 'readStream'> = {
    readStream: async (...asked) => {
      const page = await this.log.readStream(...asked)
      this.read += page.length
      return page
    },
  }
  #left: readonly Sent[] = []
  #last = -1
  #boardLast = -1

  async open(): Promise<void> {
    const opened = await this.#boardEvent()
    const season = this.records.length + 1
    const [starts, ends] = [startOf(season), startOf(season + 1)]
    this.records.push({
      starts,
      ends,
      due: ends,
      opened,
      closed: null,
      recorded: false,
    })
  }

  async close(): Promise<void> {
    const open = this.records.at(-1) as SeasonRecord
    const closed = { position: await this.#boardEvent(), time: open.ends, generation: 1, rules: RULES }
    this.records[this.records.length - 1] = { ...open, closed }
  }

  /** `time`: of the day of a season. */
  async submit(season: number | null, time: string, score: number, secondary: number | null = null): Promise<void> {
    const id = `s${this.sent.length}`
    const data = { id, score: String(score), secondary: secondary === null ? null : String(secondary) }
    const revision = await this.#append([someEvent({ type: 'ScoreSubmitted', data, meta: { time } })])
    const one: Sent = { id, revision, season, score, secondary }
    this.leftBefore.set(revision, this.#left)
    this.sent.push(one)
    this.#left = [...this.#left, one]
  }

  /** In the open season, or in none before the first one. */
  async submitMany(scores: readonly number[]): Promise<void> {
    const open = this.records.length
    const [season, time] = open === 0 ? [null, startOf(1)] : [open, startOf(open)]
    for (const score of scores) await this.submit(season, time, score)
  }

  async delete(id: string, all: boolean): Promise<void> {
    const data = { id, upTo: all ? this.#last : null }
    await this.#append([someEvent({ type: 'ScoreDeleted', data, meta: { time: startOf(1) } })])
    this.#left = all ? [] : this.#left.filter((one) => one.id !== id)
  }

  other = (): Promise<number> => this.#append([someEvent({ type: 'CallAnswered', data: {} })])

  reading = (): IsImproved => readingImprovements(this.#counting)

  ask = (isImproved: IsImproved, { revision, season: joined }: Sent, rules: Rules): Promise<boolean> => {
    const season = joined ?? 0
    const around = seasonAndPrevious(seasonsOfRecords(this.records), season)
    return isImproved({ stream: STREAM, revision, season, around, rules })
  }

  async #append(events: readonly NewEvent[]): Promise<number> {
    const { revision } = await appended(this.log, STREAM, this.#last < 0 ? 'none' : this.#last, events)
    this.#last = revision
    return revision
  }

  async #boardEvent(): Promise<Position> {
    const expected = this.#boardLast < 0 ? 'none' : this.#boardLast
    const { revision, position } = await appended(this.log, 'board', expected, someEvents(1))
    this.#boardLast = revision
    return position
  }
}

type Values = Pick<Sent, 'score' | 'secondary'>

/** The model: below 0 if a ranks before b. */
function compared(rules: Rules, a: Values, b: Values): number {
  const byScore = rules.ordering === 'asc' ? a.score - b.score : b.score - a.score
  if (byScore !== 0) return byScore
  if (a.secondary === null || b.secondary === null) return Number(a.secondary === null) - Number(b.secondary === null)
  return rules.secondaryOrdering === 'asc' ? a.secondary - b.secondary : b.secondary - a.secondary
}

function entryOf(rules: Rules, submissions: readonly Sent[]): Values | null {
  const counted = submissions.filter(({ score }) => rules.minScore === null || score >= Number(rules.minScore))
  if (counted.length === 0) return null
  if (rules.keep === 'latest') return counted.at(-1) ?? null
  if (rules.keep === undefined) return counted.toSorted((a, b) => compared(rules, a, b))[0] ?? null
  const seconds = counted.map(({ secondary }) => secondary).filter((one) => one !== null)
  const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0)
  return { score: sum(counted.map(({ score }) => score)), secondary: seconds.length > 0 ? sum(seconds) : null }
}

function isImprovedIn(rig: Rig, one: Sent, rules: Rules): boolean {
  const earlier = (rig.leftBefore.get(one.revision) ?? []).filter(({ season }) => season === one.season)
  const [before, after] = [entryOf(rules, earlier), entryOf(rules, [...earlier, one])]
  return after !== null && (before === null || compared(rules, after, before) < 0)
}

async function randomRig(random: Random): Promise<Rig> {
  const rig = new Rig()
  const some = async (seasons: readonly (number | null)[]) => {
    for (let n = random.below(30); n > 0; n--) {
      const season = random.pick(seasons)
      const roll = random.below(20)
      const gone = random.any(rig.sent)
      const [score, secondary] = [random.pick([-2, -1, 0, 0, 1, 2]), random.pick([null, null, -1, 0, 1])]
      if (roll === 0) await rig.other()
      else if (roll < 3 && gone !== null) await rig.delete(gone.id, roll === 1)
      else await rig.submit(season, startOf(season ?? 1), score, secondary)
    }
  }
  await some([null])
  await rig.open()
  // Until an ended season is closed, submissions join the next one, but those of a clock that is behind still join it.
  for (const season of [1, 2]) {
    await some([season])
    await some([season, season + 1])
    await rig.close()
    if (random.chance(0.3)) await some([null])
    await rig.open()
  }
  await some([3])
  return rig
}

describe('commands: whether a submission improved its season', () => {
  it('agrees with a model, for submissions of random seasons asked one by one and together', async () => {
    for (let n = 0; n < sized(10, 300); n++) {
      const random = new Random(SEED + n)
      const rig = await randomRig(random)
      for (const keep of [undefined, 'latest', 'total'] as const) {
        const rules: Rules = {
          ...RULES,
          ordering: random.pick(['asc', 'desc'] as const),
          secondaryOrdering: random.pick(['asc', 'desc'] as const),
          minScore: random.pick([null, null, '0' as Decimal]),
          ...(keep !== undefined && { keep }),
        }
        const together = rig.reading()
        for (const one of rig.sent.filter(({ season }) => season !== null)) {
          const about = `seed ${SEED + n}, ${JSON.stringify(rules)}, ${JSON.stringify(one)}`
          const expected = isImprovedIn(rig, one, rules)
          expect(await rig.ask(rig.reading(), one, rules), about).to.equal(expected)
          expect(await rig.ask(together, one, rules), about).to.equal(expected)
        }
      }
    }
  })

  for (const keep of ['latest', 'total'] as const) {
    it(`reads at most ${NEAREST} events for the ${keep} of a long season, whether it improved or not`, async () => {
      const rig = new Rig()
      await rig.open()
      await rig.submitMany(Array.from({ length: 300 }, (_, at) => at))
      await rig.submitMany([-1])
      for (const [nth, improved] of [
        [-2, true],
        [-1, false],
      ] as const) {
        rig.read = 0
        expect(await rig.ask(rig.reading(), rig.sent.at(nth) as Sent, { ...RULES, keep })).to.equal(improved)
        expect(rig.read).to.be.at.most(NEAREST)
      }
    })
  }

  it('reads the events of a season once for all submissions of a call, and none before the previous season', async () => {
    const rig = new Rig()
    await rig.submitMany(Array.from({ length: 200 }, (_, at) => at))
    for (let season = 1; season <= 2; season++) {
      await rig.open()
      await rig.submitMany(Array.from({ length: 200 }, (_, at) => at % 50))
      await rig.close()
    }
    await rig.open()
    await rig.submitMany(Array.from({ length: 200 }, (_, at) => at % 50))
    const isImproved = rig.reading()
    const own = rig.sent.filter(({ season }) => season === 3)
    const answers = await Promise.all(own.map((one) => rig.ask(isImproved, one, RULES)))
    expect(answers).to.deep.equal(own.map((_, at) => at < 50))
    // Those of seasons 2 and 3, as season 3 may begin before season 2 is closed, and single ones to find the first.
    expect(rig.read).to.be.within(400, 400 + 12)
  })
})
