// A restore to an instant shows each leaderboard, whole, as `as_of` answered for it at that time: byte for byte. (Later
// answers for the instant have the present names of players.)

import { expect } from 'chai'
import { connect } from '../../../clients/javascript/connect.ts'
import { openService, type Service } from '../../cli/service.ts'
import { Random } from '../../random.ts'
import { SEED } from '../../seeds.ts'
import { eventually, pause } from '../../until.ts'
import { keyIn } from '../export/crawl.ts'
import { type BackedUp, MASTER_KEY, openBackedUp, restoredFolder } from './backed-up.ts'

const PLAYERS = 8
const STEPS = 80
/** Steps after which an instant is noted. */
const NOTED = [20, 50, STEPS - 1]
const BOARDS = [
  { name: 'Fastest', ordering: 'asc' },
  { name: 'Every run', ordering: 'desc', unique: false },
  { name: 'Highest', ordering: 'desc' },
  { name: 'Newest', ordering: 'desc', keep: 'latest' },
  { name: 'Sum', ordering: 'desc', keep: 'total' },
]
/** The answers for all boards, as sent. */
type Boards = readonly string[]
/** More than all entries of a board. */
const WHOLE = 'limit=100'

describe(`a restore to an instant (seed ${SEED})`, () => {
  const random = new Random(SEED)
  let world: BackedUp
  const boards: string[] = []
  const players: string[] = []
  const scores: string[] = []
  const noted: { readonly instant: string; readonly answers: Boards }[] = []

  /** One random change. */
  async function change(): Promise<void> {
    const { client, game } = world
    const [board, player] = [random.pick(boards), random.pick(players)]
    const drawn = random.below(20)
    if (drawn === 0) await client.renamePlayer(game, player, `Renamed ${random.below(100)}`)
    else if (drawn === 1) await client.banPlayer(game, player)
    else if (drawn === 2) await client.unbanPlayer(game, player).catch(unlessRefused)
    else if (drawn === 3 && scores.length > 0) await client.deleteScore(random.pick(scores)).catch(unlessRefused)
    else if (drawn === 4) await changeRules(board, { min_score: String(random.below(10)) })
    else {
      const score = `${random.below(40)}.${random.below(10)}`
      const sent = { player, score, extra_data: { level: random.below(9) } }
      const made = await client.submit(board, sent).catch(unlessRefused)
      if (typeof made?.submitted === 'string') scores.push(made.submitted)
    }
  }

  /** Resolves when the rules are in force: a restore to an instant before that would go on with the change. */
  async function changeRules(board: string, rules: { readonly min_score: string }): Promise<void> {
    const { client } = world
    if (!('rebuild' in (await client.changeRules(board, rules)))) return
    await eventually(async () => (await client.rebuildOf(board)).finished !== null)
  }

  before(async function () {
    this.timeout(60_000)
    world = await openBackedUp()
    const { service, client, game } = world
    for (const board of BOARDS) {
      const headers = { Authorization: `Bearer ${await client.token()}`, 'Content-Type': 'application/json' }
      const sent = { method: 'POST', headers, body: JSON.stringify(board) }
      const made = await fetch(`${service.url}/api/gm/${game}/lb/`, sent)
      boards.push(((await made.json()) as { id: string }).id)
    }
    for (let n = 0; n < PLAYERS; n++) players.push((await client.createPlayer(game, { name: `Player ${n}` })).id)
    for (let step = 0; step < STEPS; step++) {
      await change()
      if (!NOTED.includes(step)) continue
      await pause(3)
      const instant = new Date().toISOString()
      await pause(3)
      noted.push({ instant, answers: await read(service, instant) })
    }
    await world.backUp()
  })
  after(() => world.service.close())

  async function read({ url }: Service, instant: string | null): Promise<Boards> {
    const { token } = await connect({ baseUrl: url, key: await keyIn(world.service.dataDir, world.game) })
    const headers = { Authorization: `Bearer ${await token()}` }
    const query = instant === null ? WHOLE : `${WHOLE}&as_of=${instant}`
    const answers = boards.map((board) => fetch(`${url}/api/lb/${board}/score/?${query}`, { headers }))
    return Promise.all(answers.map(async (answer) => (await answer).text()))
  }

  for (const [index, step] of NOTED.entries()) {
    it(`after ${step + 1} of ${STEPS} changes shows what \`as_of\` answered then`, async () => {
      const { instant = '', answers } = noted[index] ?? {}
      const restored = await openService({ MASTER_KEY, DATA_DIR: await restoredFolder(world, '--at', instant) })
      const shown = await read(restored, null)
      const verified = await restored.json('verify')
      await restored.close()
      expect(shown).to.deep.equal(answers)
      expect(verified).to.include({ equal: true, found: 0 })
    })
  }
})

function unlessRefused(failure: { readonly status?: number }): null {
  if (failure.status !== undefined && failure.status < 500) return null
  throw failure
}
