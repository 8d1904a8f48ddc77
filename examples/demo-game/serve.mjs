// Serves the game on a loopback port, and prepares it on a running server with the operator's key: `npm run demo-game`.

import { createServer } from 'node:http'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { connect } from '../../clients/javascript/dist/connect.js'

const { SCOREBOOK_URL: baseUrl = 'http://127.0.0.1:8080', GAME_PORT = '5173', OPERATOR_KEY = 'data/operator.json' } = process.env
const here = (path) => new URL(path, import.meta.url)
const FOLDERS = { client: here('../../clients/javascript/dist/'), 'socket.io-client': here('../../node_modules/socket.io-client/dist/') }
const TYPES = { html: 'text/html', css: 'text/css', js: 'text/javascript', json: 'application/json' }

const server = createServer(async ({ url = '/' }, response) => {
  const path = url.split('?')[0]
  const [, folder, name] = /^\/(?:(client|socket\.io-client)\/)?([\w.-]*)$/.exec(path) ?? []
  const file = name === '' ? 'index.html' : name
  const type = TYPES[file?.split('.').at(-1)]
  try {
    if (type === undefined) throw new Error('no such file')
    const body = path === '/config.json' ? JSON.stringify(config) : await readFile(new URL(file, FOLDERS[folder] ?? here('./')))
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(body)
  } catch {
    response.writeHead(404).end()
  }
})
await new Promise((resolve) => server.listen(Number(GAME_PORT), '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${server.address().port}`
const config = await prepare()
console.log(`Meteor Tap is at ${origin}`)

/** A game with its leaderboard, a client key, and this page's origin. Only the page's own key reaches the browser. */
async function prepare() {
  const operator = await connect({ baseUrl, key: JSON.parse(await readFile(OPERATOR_KEY, 'utf8')) })
  const { game, key } = await operator.createGame('Meteor Tap')
  await keep(`${game.id}.json`, key)
  const own = await connect({ baseUrl, key })
  await own.changeGame(game.id, { cors_origins: [origin], realtime: { enabled: true } })
  const { id: leaderboard } = await own.createLeaderboard(game.id, { name: 'Meteors', ordering: 'desc' })
  const pageKey = await own.issueKey(game.id, { name: 'page', kind: 'client', algorithm: 'hmac-sha256' })
  await keep(`${game.id}-page.json`, pageKey)
  const { prefix, secret } = pageKey
  return { baseUrl, game: game.id, leaderboard, key: { prefix, secret } }
}

/** Saves a key beside the operator's, where `npx scorebook` finds the game's; the console takes the file too. */
async function keep(name, key) {
  const file = join(dirname(OPERATOR_KEY), 'keys', name)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, `${JSON.stringify(key, null, 2)}\n`, { mode: 0o600 })
  console.log(`The ${key.kind} key ${key.prefix} of the game ${key.game} is saved in ${file}`)
}
