// Deleting a game: refused without its name, then effective for everybody at once, and with every byte after a moment.

import { expect } from 'chai'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { makeBoard, makeGame } from './game-fixtures.ts'
import { deleteGame, type GameToDelete, makeGameToDelete, untilErased } from './game-to-delete.ts'
import type { Body } from './http-client.ts'
import { storedWith } from './stored-texts.ts'
import { answerCode } from './tenant.ts'
import { vaultRowsOf } from './vault-rows.ts'
import { must, openWorld, requestChallenge, signed, tokenOf, type World } from './world.ts'

const MARKER = 'Qzdeleted'
const REJECTED = '401 token_rejected'
const GAME_NOT_FOUND = '404 game_not_found'

describe('deleting a game', () => {
  let world: World
  let doomed: GameToDelete
  let other: GameToDelete
  let operator: string
  let others: readonly string[]
  /** Rows of the vault before the game was created, and those of the game. */
  let secrets: readonly string[]
  let itsSecrets: readonly string[]
  const key = { 'idempotency-key': 'delete the game' }

  before(async function () {
    this.timeout(120_000)
    world = await openWorld({ logLevel: 'info' })
    operator = await tokenOf(world, world.operator)
    other = await makeGameToDelete(world, 'Keptgame')
    others = await world.files.blobs()
    secrets = [...(await vaultRowsOf(world)).keys()]
    doomed = await makeGameToDelete(world, MARKER)
    itsSecrets = [...(await vaultRowsOf(world)).keys()].filter((row) => !secrets.includes(row))
  })
  after(() => world.close())

  const verified = async (): Promise<Body> => {
    const { text } = await world.call('GET', '/api/sys/verify/', { token: operator })
    return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').result
  }

  it('refuses a wrong name with 409 and an unknown game with 404, and changes nothing', async () => {
    expect(answerCode(await deleteGame(world, doomed.game.id, 'another name'))).to.equal('409 name_mismatch')
    expect(answerCode(await deleteGame(world, 'a'.repeat(24), doomed.name))).to.equal(GAME_NOT_FOUND)
    const own = { token: doomed.game.token, body: { name: doomed.name } }
    const refused = await world.call('DELETE', `/api/gm/${doomed.game.id}/`, own)
    expect([refused.status, refused.body.needed]).to.deep.equal([403, 'sys:games'])
    expect((await world.call('GET', `/api/gm/${doomed.game.id}/`, { token: doomed.game.token })).status).to.equal(200)
  })

  it('answers 202 with the id of the game, and rejects its keys and the tokens of its players with 401 from then on', async () => {
    const { token: server } = doomed.game
    expect(must(await deleteGame(world, doomed.game.id, doomed.name, key), 202)).to.deep.equal({
      deleted: doomed.game.id,
    })
    for (const token of [server, doomed.client, doomed.player.token]) {
      for (const path of [
        `/api/gm/${doomed.game.id}/`,
        `/api/lb/${doomed.board}/score/`,
        `/api/score/${doomed.score}/`,
      ]) {
        expect([path, answerCode(await world.call('GET', path, { token }))]).to.deep.equal([path, REJECTED])
      }
    }
    const submitted = await world.call('POST', `/api/lb/${doomed.board}/score/`, {
      token: doomed.player.token,
      body: { score: '1' },
    })
    expect(answerCode(submitted)).to.equal(REJECTED)
  })

  it('rejects handshakes of its keys, and renewals of its players', async () => {
    const { body } = await requestChallenge(world, doomed.game.server.prefix)
    const redeemed = await world.call('POST', '/api/auth/jwt/redeem/', {
      headers: { 'x-api-key': doomed.game.server.prefix },
      body: signed(world, doomed.game.server, body),
    })
    expect(answerCode(redeemed)).to.equal('401 challenge_rejected')
    const renewed = await world.call('POST', `/api/gm/${doomed.game.id}/player/refresh/`, {
      body: { refresh_token: doomed.player.refresh },
    })
    expect(answerCode(renewed)).to.equal('401 sign_in_rejected')
  })

  it('hides the deleted game from the lists of the operator, and answers 404 for it', async () => {
    const games = must(await world.call('GET', '/api/gm/?limit=100', { token: operator }), 200).games
    expect(games.map(({ id }: Body) => id)).to.deep.equal([other.game.id])
    const keys = await world.call('GET', `/api/gm/${doomed.game.id}/keys/`, { token: operator })
    expect(answerCode(keys)).to.equal(GAME_NOT_FOUND)
    expect(answerCode(await deleteGame(world, doomed.game.id, doomed.name))).to.equal(GAME_NOT_FOUND)
  })

  it('removes the bytes of its files and every text of it from every store, and logs that', async () => {
    const stores = new Set((await storedWith(world, MARKER)).map((location) => location.split(' ')[0]))
    if (ON_SERVERS) expect([...stores]).to.include.members(['mongodb', 's3', 'event'])
    await untilErased(world, doomed.game.id)
    expect(await storedWith(world, MARKER)).to.deep.equal([])
    expect(await storedWith(world, 'Keptgame')).to.not.deep.equal([])
    const done = world.lines.filter((line) => line.includes('everything of a deleted game is removed'))
    expect(done.map((line) => JSON.parse(line).game)).to.deep.equal([doomed.game.id])
    expect(await world.files.blobs()).to.deep.equal(others)
  }).timeout(60_000)

  it('removes every secret from the vault, and keeps empty rows that prevent new keys of its players', async () => {
    const rows = [...(await vaultRowsOf(world))]
    const withValue = rows.filter(([, { value }]) => value.length > 0).map(([row]) => row)
    expect(withValue).to.have.members(secrets)
    const players = itsSecrets.filter((row) => row.startsWith('player-key ') && !row.endsWith('.files'))
    expect(itsSecrets).to.include(`player-key ${doomed.player.id}.files`)
    const emptied = rows.filter(([, { value }]) => value.length === 0).map(([row]) => row)
    expect(emptied).to.have.members(players.flatMap((row) => [row, `${row}.files`]))
    expect(players).to.have.length(4)
  })

  it('keeps only the ids of the game and of its secrets in the log, and none of its slots', async () => {
    const { text } = await world.call('GET', '/api/sys/events/', { token: operator })
    const left = text.split('\n').filter((line) => line.includes(doomed.game.id))
    const types = left.map((line): string => JSON.parse(line).type)
    expect(types).to.deep.equal(['GameDeletionListed', 'GameSecretsListed', 'GameSecretsListed', 'GameErased'])
    expect(await storedWith(world, `{"kind":"buckets","id":"${doomed.bucket}"}`)).to.deep.equal([])
  })

  it('leaves views that equal those rebuilt from the log', async () => {
    const { equal, differences, parked } = await verified()
    expect({ equal, differences, parked }).to.deep.equal({ equal: true, differences: [], parked: 0 })
  }).timeout(60_000)

  it('replays the deletion from its Idempotency-Key, also after a restart', async () => {
    await world.restart()
    operator = await tokenOf(world, world.operator)
    const again = await deleteGame(world, doomed.game.id, doomed.name, key)
    expect([must(again, 202), again.headers['idempotent-replay']]).to.deep.equal([{ deleted: doomed.game.id }, 'true'])
    const reused = await deleteGame(world, doomed.game.id, 'another name', key)
    expect(answerCode(reused)).to.equal('422 idempotency_key_reused')
    expect(
      answerCode(await world.call('GET', `/api/gm/${doomed.game.id}/`, { token: doomed.game.token })),
    ).to.deep.equal(REJECTED)
    expect(await storedWith(world, MARKER)).to.deep.equal([])
  })

  it('leaves other games unchanged', async () => {
    const token = await tokenOf(world, other.game.server)
    const page = must(await world.call('GET', `/api/lb/${other.board}/score/`, { token }), 200)
    expect(page.scores.map(({ player_name }: Body) => player_name)).to.deep.equal(['Keptgame stage', 'Keptgame stage'])
    const file = `/api/bkt/${other.bucket}/file/?path=/Keptgame-folder/Keptgame-kept`
    expect((await world.call('GET', file, { token })).status).to.equal(200)
    const board = await makeBoard(world, { ...other.game, token })
    const submit = { token, body: { score: '1', player: other.player.id } }
    must(await world.call('POST', `/api/lb/${board}/score/`, submit), 201)
  })

  it('gives a new game of the same name another id', async () => {
    const fresh = await makeGame(world, doomed.name)
    expect(fresh.id).to.not.equal(doomed.game.id)
    expect(must(await deleteGame(world, fresh.id, doomed.name), 202)).to.deep.equal({ deleted: fresh.id })
    await untilErased(world, fresh.id)
    expect((await verified()).equal).to.equal(true)
  }).timeout(60_000)
})
