// A deleted player in the bytes of the stores: no row and no encrypted byte is left of login, address, password, guest
// token and sessions, no file contains what they wrote, and login and address are free for others.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openProcessWorld, type ProcessWorld } from '../crash/process-world.ts'
import { clientToken, type MadeGame, makeBoard, makeGame } from '../front-door/game-fixtures.ts'
import { mailedCode } from '../front-door/mails.ts'
import { type Row, vaultRows } from '../front-door/vault-rows.ts'
import { must } from '../front-door/world.ts'
import { eventually } from '../until.ts'

const MARK = 'Zyxforgotten'
const LOGIN = `${MARK}-login`
const PASSWORD = `${MARK}-password`
const ADDRESS = `${MARK}@example.com`.toLowerCase()
const OTHER_ADDRESS = `2${ADDRESS}`
/** As they are sent, and as they are compared. */
const SPELLINGS = [MARK, MARK.toLowerCase(), MARK.toUpperCase()]

function bytesOf(dataDir: string, beginning: string): string {
  const files = readdirSync(dataDir).filter((name) => name.startsWith(beginning))
  if (files.length === 0) throw new Error(`there is no ${beginning}`)
  return files.map((name) => readFileSync(join(dataDir, name), 'latin1')).join('\n')
}

/** Which spellings are in the text, in plain, base64 or hexadecimal. */
function found(text: string): string[] {
  return SPELLINGS.flatMap((word) => {
    const bytes = Buffer.from(word)
    const written = [word, bytes.toString('base64').replace(/=+$/, '').slice(0, -1), bytes.toString('hex')]
    return written.filter((one) => text.includes(one))
  })
}

describe('secrets and texts of a deleted player', () => {
  let world: ProcessWorld
  let game: MadeGame
  let client: string
  /** Their rows of the vault before the deletion. */
  let made: readonly Row[]

  const post = (path: string, body: object, token = client) =>
    world.call('POST', `/api/gm/${game.id}/player/${path}/`, { token, body })

  async function verified(email: string, token = client) {
    return post('code/verify', { email, code: await mailedCode(world, game.id, token, email) }, token)
  }

  /** Two players who together use every sign-in method; returns their ids. */
  async function signInByEveryMethod(board: string): Promise<string[]> {
    const guest = must(await post('guest', { name: `${MARK}-guest` }), 201)
    const registration = { login: LOGIN, password: PASSWORD, email: ADDRESS, name: `${MARK}-name` }
    const { token } = must(await post('register', registration, guest.token), 200)
    must(await post('guest', { guest_token: guest.guest_token }), 200)
    must(await post('password', { login: LOGIN, password: PASSWORD }), 200)
    must(await verified(ADDRESS, token), 200)
    const { id } = guest.player
    const ticket = { token: game.token, body: { player: id } }
    const { ticket: shown } = must(await world.call('POST', `/api/gm/${game.id}/player/ticket/`, ticket), 201)
    must(await post('ticket/redeem', { ticket: shown }), 200)
    const score = { token, body: { score: '1', player_name: `${MARK}-beside` } }
    must(await world.call('POST', `/api/lb/${board}/score/`, score), 201)
    const second = must(await verified(OTHER_ADDRESS), 201)
    return [id, second.player.id]
  }

  const left = () => {
    const now = vaultRows(world.dataDir)
    return made.flatMap(({ kind, id }) => {
      const row = now.get(`${kind} ${id}`)
      return row === undefined ? [] : [`${kind}: ${row.value.length} bytes`]
    })
  }

  before(async function () {
    this.timeout(60_000)
    world = await openProcessWorld({ LOG_LEVEL: 'trace' })
    game = await makeGame(world)
    client = await clientToken(world, game)
    const board = await makeBoard(world, game)
    must(await post('register', { login: 'stays', password: 'a password that stays' }), 201)
    const before = vaultRows(world.dataDir)
    const ids = await signInByEveryMethod(board)
    made = [...vaultRows(world.dataDir).values()].filter(({ kind, id }) => !before.has(`${kind} ${id}`))
    for (const id of ids) {
      must(await world.call('DELETE', `/api/gm/${game.id}/players/${id}/`, { token: game.token }), 200)
    }
  })
  after(() => world.close())

  it('include secrets of every kind before the deletion', () => {
    const kinds = [...new Set(made.map(({ kind }) => kind))].sort()
    expect(kinds).to.deep.equal([
      ...['email', 'guest-token', 'login', 'login-addresses', 'password', 'player-key', 'refresh-token'],
    ])
    expect(made.filter(({ kind }) => kind === 'email')).to.have.length(2)
  })

  it('leave only empty rows for the keys in the vault, and no byte of the values', async () => {
    const emptyRows = ['player-key: 0 bytes', 'player-key: 0 bytes']
    // A reaction ends their sessions after the answer.
    await eventually(() => left().length <= emptyRows.length)
    expect(left()).to.deep.equal(emptyRows)
    const bytes = bytesOf(world.dataDir, 'vault.sqlite')
    for (const { kind, value } of made) {
      expect(bytes.includes(Buffer.from(value).toString('latin1')), kind).to.equal(false)
    }
  })

  it('are gone from log, vault and log lines, and from the views once the program has stopped', async () => {
    await world.leave()
    for (const store of ['log.sqlite', 'vault.sqlite', 'views.sqlite']) {
      expect([store, found(bytesOf(world.dataDir, store))]).to.deep.equal([store, []])
    }
    // In development a mail is logged with its address.
    const lines = world.output().split('\n')
    expect(found(lines.filter((line) => !line.includes('a mail was written')).join('\n'))).to.deep.equal([])
  })

  it('free the login and the mail address, also after a restart', async () => {
    await world.begin()
    const again = must(await post('register', { login: LOGIN, password: PASSWORD, email: ADDRESS }), 201)
    must(await post('password', { login: LOGIN, password: PASSWORD }), 200)
    expect(must(await verified(ADDRESS, again.token), 200).player.id).to.equal(again.player.id)
    expect(must(await post('password', { login: LOGIN, password: PASSWORD }), 200).player.id).to.equal(again.player.id)
    must(await post('password', { login: 'stays', password: 'a password that stays' }), 200)
  })
})
