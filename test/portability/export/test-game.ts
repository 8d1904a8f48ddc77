// A test game with everything: players of each kind, boards that keep each kind of submission, whose rules changed, and
// that have seasons, bans, deletions, files.

import { connect } from '../../../clients/javascript/connect.ts'
import type { Service } from '../../cli/service.ts'
import { keyIn } from './crawl.ts'

export interface TestGame {
  readonly game: string
  readonly board: string
  /** The ids of Ada and of the deleted player. */
  readonly ada: string
  readonly gone: string
}

const WEEKLY = { cron: 'weekly', time_zone: 'Europe/Berlin' }

export async function createTestGame(service: Service): Promise<TestGame> {
  const { json } = service
  const game = (await json<{ game: { id: string } }>('game', 'create', 'Quest')).game.id
  const client = await connect({ baseUrl: service.url, key: await keyIn(service.dataDir, game) })
  const board = (await json<{ id: string }>('board', 'create', 'High scores', '--unique')).id
  const all = (await json<{ id: string }>('board', 'create', 'All', '--no-unique', '--ordering', 'asc')).id
  const call = async (method: string, path: string, body: object): Promise<{ id: string }> => {
    const headers = { Authorization: `Bearer ${await client.token()}`, 'Content-Type': 'application/json' }
    const answer = await fetch(service.url + path, { method, headers, body: JSON.stringify(body) })
    return (await answer.json()) as { id: string }
  }
  const keeping = async (keep: string) =>
    (await call('POST', `/api/gm/${game}/lb/`, { name: `Keeps ${keep}`, ordering: 'desc', keep })).id
  const weekly = (await call('POST', `/api/gm/${game}/lb/`, { name: 'Weekly', ordering: 'desc', seasons: WEEKLY })).id
  const [latest, total, later] = [await keeping('latest'), await keeping('total'), await keeping('best')]
  const players: string[] = []
  for (const name of ['Ada', 'Bobolink', 'Cleo', 'Dan']) {
    const external = ['Ada', 'Bobolink'].includes(name) ? ['--external-id', `steam:${name}`] : []
    players.push((await json<{ id: string }>('player', 'create', name, ...external)).id)
  }
  const [ada = '', bob = '', cleo = '', dan = ''] = players
  const guest = await client.asGuest(game, { name: 'Guest of honour' })
  for (const [n, player] of [...players, ...players, ...players].entries()) {
    for (const lb of [board, all, latest, total, later, weekly]) {
      const score = { player, score: `${(n * 7) % 11}.${n}`, player_name: `=${player.slice(0, 3)}`, extra_data: { n } }
      await client.submit(lb, n % 2 === 0 ? score : { ...score, secondary_score: `-${n}` })
    }
  }
  await guest.submit(board, { score: '6.5' })
  // Closes the open season.
  await call('PUT', `/api/lb/${weekly}/`, { seasons: { ...WEEKLY, cron: 'daily' } })
  await guest.submit(weekly, { score: '6.5' })
  await client.banPlayer(game, cleo, { reason: 'cheats' })
  await client.banPlayer(game, dan)
  await client.unbanPlayer(game, dan)
  const { scores } = await client.scores(all, { limit: 5 })
  await client.deleteScore(scores[2]?.id ?? '')
  await client.deletePlayer(game, bob)
  await client.renamePlayer(game, ada, 'Ada L')
  await client.changeRules(board, { ordering: 'asc', max_score: '9' })
  await call('PUT', `/api/lb/${later}/`, { keep: 'total', min_score: '1' })
  for (const lb of [board, later]) {
    for (let state = 'running'; state === 'running' || state === 'queued'; ) state = (await client.rebuildOf(lb)).state
    await client.submit(lb, { player: ada, score: '2.5' })
  }
  await client.register(game, { login: 'eve', password: 'correct horse battery', name: 'Eve' })
  const bucket = (await json<{ id: string }>('bucket', 'create', 'Saves')).id
  await client.makeFolder(bucket, '/saved/')
  for (const [path, text] of Object.entries({ '/one.txt': 'one', '/saved/two.bin': 'two two' })) {
    const file = { path, size: text.length, content_type: 'text/plain' }
    await client.sendFile(bucket, file, async ({ method, url, headers }) => {
      // Links name the configured port, but this service listens on a free one.
      const link = service.url + new URL(url).pathname + new URL(url).search
      await fetch(link, { method, headers, body: text })
    })
  }
  return { game, board, ada, gone: bob }
}
