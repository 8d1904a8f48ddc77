// `scorebook demo --days` spreads scores over the past days. It runs its own server on an empty data folder, which the
// next `scorebook serve` then serves.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { demoClock, demoHours, diceOf } from '../../cli/demo-data.ts'
import { runCommandLine } from '../../cli/program.ts'
import type { GameEvent } from '../../clients/javascript/history.ts'
import type { Leaderboard, ScoresPage, Season } from '../../clients/javascript/score-shapes.ts'
import type { Page } from '../../clients/javascript/shapes.ts'
import { faultsOf } from '../event-schemas/faults.ts'
import { type CommandResult, command, newFolder, openService, type Service } from './service.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAYS = 30
const SCORES = 360

describe('scorebook demo --days', () => {
  let service: Service
  let result: CommandResult
  let drawn: string[]

  before(async () => {
    const dataDir = await newFolder()
    drawn = []
    const out: string[] = []
    const err: string[] = []
    const code = await runCommandLine(
      ['demo', '--players', '8', '--scores', `${SCORES}`, '--days', `${DAYS}`, '--json'],
      {
        env: { DATA_DIR: dataDir },
        out: (line) => void out.push(line),
        err: (line) => void err.push(line),
        columns: 80,
        redraw: (line) => void drawn.push(line),
      },
    )
    const text = out.join('\n')
    result = { code, out: text, err: err.join('\n'), json: () => JSON.parse(text) }
    service = await openService({ DATA_DIR: dataDir })
  })
  after(() => service.close())

  it('records scores on each of the last 30 days, so that the windows of a day, a week and a month differ', async () => {
    expect([result.code, result.err.split('\n')[0]?.slice(0, 10)]).to.deep.equal([0, 'Created ga'])
    const { leaderboards } = result.json<{ leaderboards: readonly Leaderboard[] }>()
    const times: number[] = []
    for (const { id, unique } of leaderboards) {
      if (unique) continue
      const { scores } = await service.json<ScoresPage>('board', 'top', id, '--limit', '100')
      times.push(...scores.map(({ added }) => Date.parse(added)))
    }
    const within = (days: number) => times.filter((time) => time > Date.now() - days * DAY_MS).length
    expect(within(DAYS + 1)).to.equal(times.length)
    expect(within(1)).to.be.within(1, within(7) - 1)
    expect(within(7)).to.be.below(within(DAYS))
    expect(new Set(times.map((time) => Math.floor(time / DAY_MS))).size).to.be.above(DAYS - 6)
    expect(Math.max(...times)).to.be.at.most(Date.now())
  })

  it('has at least three closed seasons of the weekly leaderboard and an open one, and each score joined its season', async () => {
    const { seasons } = await service.json<Page<'seasons', Season>>('board', 'seasons', 'weekly')
    expect(seasons.length).to.be.within(5, 6)
    expect(seasons.map(({ state }) => state)).to.deep.equal(['open', ...seasons.slice(1).map(() => 'closed')])
    const exported = await service.run('history', 'export', '--board', 'weekly', '--type', 'ScoreSubmitted')
    const submitted = exported.out.split('\n').map((line): GameEvent => JSON.parse(line))
    const playersOf = ({ starts, ends }: Season) =>
      new Set(submitted.filter(({ time }) => time >= starts && time < ends).map(({ meta }) => meta.player)).size
    expect(seasons.map(({ players }) => players)).to.deep.equal(seasons.map(playersOf))
    const { scores } = await service.json<ScoresPage>('board', 'top', 'weekly', '--season', 'last')
    expect(scores.map(({ final_rank: rank }) => rank)).to.deep.equal(scores.map(({ rank }) => rank))
    expect(scores.length).to.be.above(0)
  })

  it('records only events that are valid by the published schemas of their types', async () => {
    const folder = join(await newFolder(), 'history')
    const { game } = result.json<{ game: string }>()
    const exported = await service.run('history', 'export', '--game', game, '--out', folder)
    expect(exported.code, exported.err).to.equal(0)
    const lines = (await readFile(join(folder, 'events.ndjson'), 'utf8')).trimEnd().split('\n')
    expect(lines.length).to.be.above(SCORES)
    expect(faultsOf(lines.map((line) => JSON.parse(line)))).to.deep.equal([])
  })

  it('sends messages in a room, as the demo without --days does', () => {
    expect(result.err.split('\n').filter((line) => /^ {2}\d+ {2}/.test(line))).to.have.length(5)
  })

  it('leaves a data folder that the next start serves and verifies as equal', async () => {
    const { code, out } = await service.run('verify')
    expect([code, out.startsWith('equal')], out).to.deep.equal([0, true])
  })

  it('draws a progress bar on a terminal, and prints one line per finished step', () => {
    expect(drawn.some((line) => /^Submitting scores {2}\[#+\.*\] +\d+ %/.test(line))).to.equal(true)
    expect(result.err).to.match(/^Submitting scores: 360 in /m)
  })

  it('rejects a data folder in use, --url, and more days than a session lasts', async () => {
    const inUse = await service.run('demo', '--days', '30')
    expect([inUse.code, inUse.err]).to.deep.equal([
      2,
      `scorebook: ${service.dataDir} already holds data, and --days needs an empty data folder. Name one that does not exist yet: DATA_DIR=<new folder> npx scorebook demo --days 30`,
    ])
    const env = { DATA_DIR: await newFolder() }
    const named = await command(env, 'demo', '--days', '30', '--url', 'http://127.0.0.1:8080')
    expect([named.code, named.err.includes('Leave out --url or --days')]).to.deep.equal([2, true])
    const long = await command(env, 'demo', '--days', '31')
    expect([long.code, long.err]).to.deep.equal([2, 'scorebook: --days must be from 1 to 30.'])
  })
})

describe('the demo schedule', () => {
  it('sends all scores in one hour without --days', () => {
    expect(demoHours(0, 4_000, diceOf(0))).to.deep.equal([{ agoMs: 0, scores: 4_000 }])
  })

  it('sends exactly the requested number of scores, hour by hour until now, and more on the last day than on the first', () => {
    const hours = demoHours(30, 4_000, diceOf(30))
    const sum = (some: typeof hours) => some.reduce((all, { scores }) => all + scores, 0)
    expect(sum(hours)).to.equal(4_000)
    expect(hours.map(({ agoMs }) => agoMs)).to.deep.equal(
      Array.from({ length: 720 }, (_, hour) => (719 - hour) * HOUR_MS),
    )
    expect(hours.every(({ scores }) => scores >= 0)).to.equal(true)
    expect(sum(hours.slice(-24))).to.be.above(sum(hours.slice(0, 24)))
  })

  it('never moves its clock backwards', () => {
    const clock = demoClock(1)
    expect(Date.now() - clock.now()).to.be.within(23 * HOUR_MS - 1_000, 23 * HOUR_MS + 1_000)
    clock.setBehind(HOUR_MS)
    expect(() => clock.setBehind(HOUR_MS + 1)).to.throw(RangeError)
    clock.setBehind(0)
    expect(Date.now() - clock.now()).to.be.within(-1_000, 1_000)
  })
})
