// Leaderboards with seasons, open and closed, with changes after closings and of schedules: an import of an export, a
// restore of a backup, and a restore to an instant answer as the service did, and go on closing seasons.

import { join } from 'node:path'
import { expect } from 'chai'
import { type Client, connect } from '../../clients/javascript/connect.ts'
import type { LeaderboardRules, Season } from '../../clients/javascript/score-shapes.ts'
import { command, newFolder, openService, type Service } from '../cli/service.ts'
import { eventually } from '../until.ts'
import { type BackedUp, MASTER_KEY, openBackedUp, restoredFolder } from './backup/backed-up.ts'
import { keyIn } from './export/crawl.ts'

const HOUR_MS = 3_600_000
/** The clock never passes the machine's, which the commands have. */
const FIRST_MS = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 12 * HOUR_MS + 10_000
const HOURLY = { cron: '0 * * * *', time_zone: 'UTC' }
const OTHER = { cron: '30 * * * *', time_zone: 'UTC' }

describe('leaderboards with seasons', () => {
  let world: BackedUp
  let nowMs = FIRST_MS
  const now = () => nowMs
  const boards: string[] = []
  const players: string[] = []
  /** What was answered at an instant. */
  const noted: { readonly instant: string; readonly answers: unknown }[] = []
  let atEnd: unknown

  before(async function () {
    this.timeout(60_000)
    world = await openBackedUp(now)
    await play()
    atEnd = await read(world.service)
    await world.backUp()
  })
  after(() => world.service.close())

  async function play(): Promise<void> {
    const { client, game } = world
    for (const rules of [{}, { unique: false }, { keep: 'total' }, { keep: 'latest' }] as Partial<LeaderboardRules>[]) {
      const made = { name: `Board ${boards.length}`, ordering: 'desc', ...rules, seasons: HOURLY } as const
      boards.push((await client.createLeaderboard(game, made)).id)
    }
    const [best = '', every = '', total = ''] = boards
    for (let n = 0; n < 5; n++) players.push((await client.createPlayer(game, { name: `Player ${n}` })).id)
    const [ada = '', bob = '', cyd = '', dan = ''] = players
    await client.banPlayer(game, dan).then(() => client.unbanPlayer(game, dan))
    await submitAll(1)
    await client.banPlayer(game, cyd)
    await endSeason()
    // A restore to any instant leaves out who was deleted since: so before the first one.
    await client.deletePlayer(game, players.pop() ?? '')
    await note()
    // After the closing, one is hidden, and one is shown again.
    await client.banPlayer(game, bob)
    await client.unbanPlayer(game, cyd)
    await submitAll(2)
    await note()
    await endSeason()
    const { scores } = await client.scores(every, { season: 1, limit: 1 })
    await client.deleteScore(scores[0]?.id ?? '')
    await note()
    await client.changeRules(best, { ordering: 'asc' })
    await eventually(async () => (await client.rebuildOf(best)).finished !== null)
    await submitAll(3)
    await client.changeRules(total, { seasons: OTHER })
    await submitAll(4)
    await client.changeRules(every, { seasons: null })
    await submitAll(5)
    await untilClosed(client)
    await client.deleteScore((await client.scores(best, { player: ada })).scores[0]?.id ?? '')
  }

  async function submitAll(round: number): Promise<void> {
    for (const board of boards) {
      for (const [n, player] of players.entries()) {
        nowMs += 1
        const score = `${(n * 7 + round * 3) % 11}`
        await world.client.submit(board, { player, score }).catch(unlessBanned)
      }
    }
  }

  async function endSeason(): Promise<void> {
    nowMs += HOUR_MS
    await untilClosed(world.client)
  }

  const isClosed = ({ state, ends }: Season) => state === 'closed' || (state === 'open' && Date.parse(ends) > nowMs)

  const untilClosed = (client: Client): Promise<void> =>
    eventually(async () => {
      const lists = await Promise.all(boards.map(async (board) => (await client.seasons(board)).seasons))
      return lists.flat().every(isClosed)
    })

  async function note(): Promise<void> {
    const answers = await read(world.service)
    noted.push({ instant: new Date(nowMs).toISOString(), answers })
    nowMs += 1_000
  }

  async function clientOf({ url }: Service): Promise<Client> {
    return connect({ baseUrl: url, key: await keyIn(world.service.dataDir, world.game) })
  }

  /** All that is answered about seasons. */
  async function read(service: Service): Promise<unknown> {
    const client = await clientOf(service)
    return Promise.all(
      boards.map(async (board) => {
        const { seasons } = await client.seasons(board)
        const numbers = seasons.map(({ season }) => season)
        const rows = numbers.map(async (season) => [season, (await client.scores(board, { season })).scores])
        return { seasons, rows: await Promise.all(rows), all: (await client.scores(board)).scores }
      }),
    )
  }

  /** Expects these answers of a service and its views to equal its log; then ends a season. */
  async function expectAnswers(folder: string, answers: unknown): Promise<void> {
    const was = nowMs
    const service = await openService({ MASTER_KEY, DATA_DIR: folder }, now)
    try {
      const client = await clientOf(service)
      expect(await read(service)).to.deep.equal(answers)
      expect(await service.json('verify')).to.include({ equal: true, found: 0 })
      const [best = ''] = boards
      const before = await client.seasons(best)
      nowMs += HOUR_MS
      const later = await clientOf(service)
      await untilClosed(later)
      expect((await later.seasons(best)).count).to.equal(before.count + 1)
      expect(await service.json('verify')).to.include({ equal: true, found: 0 })
    } finally {
      nowMs = was
      await service.stop()
    }
  }

  it('are answered by an import as they were by the service that was exported', async () => {
    const [out, vault] = [join(await newFolder(), 'all'), join(await newFolder(), 'vault')]
    const there = { MASTER_KEY, DATA_DIR: await newFolder() }
    const { env } = world.service
    await world.service.stop()
    const exported = await command(env, 'history', 'export', '--all', '--out', out, '--vault', vault)
    expect(exported.code, exported.err).to.equal(0)
    const imported = await command(there, 'history', 'import', out, '--vault', vault)
    expect(imported.code, imported.err).to.equal(0)
    await expectAnswers(there.DATA_DIR, atEnd)
  }).timeout(30_000)

  it('are answered by a restore as they were by the service that was backed up', async () => {
    await expectAnswers(await restoredFolder(world), atEnd)
  }).timeout(30_000)

  for (const [index, when] of ['after a closing', 'in a season', 'after a deleted score'].entries()) {
    it(`are answered by a restore to an instant ${when} as they were then`, async () => {
      const { instant = '', answers } = noted[index] ?? {}
      nowMs = Date.parse(instant)
      await expectAnswers(await restoredFolder(world, '--at', instant), answers)
    }).timeout(30_000)
  }
})

function unlessBanned(failure: { readonly code?: string }): void {
  if (failure.code !== 'player_banned') throw failure
}
