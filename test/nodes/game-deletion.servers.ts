// A game that is deleted through one of two nodes: both refuse its keys and tokens, close its sockets and end its event
// streams. No store keeps anything of it, and another game is not affected.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { SYNCED_WITHIN_MS } from '../../access/revocations.ts'
import { builtProgram } from '../crash/build.ts'
import { makeGame, makePlayer } from '../front-door/game-fixtures.ts'
import { deleteGame, type GameToDelete, makeGameToDelete, untilErased } from '../front-door/game-to-delete.ts'
import { type Lines, openLines } from '../front-door/lines.ts'
import { filesWith, storedWith } from '../front-door/stored-texts.ts'
import { answerCode } from '../front-door/tenant.ts'
import { handshake, must, type World } from '../front-door/world.ts'
import { closeRoomClients, connected, type RoomClient } from '../realtime/rooms-fixture.ts'
import { endSharedServers } from '../servers/store-urls.ts'
import { openSideBySide, type SideBySide } from './side-by-side.ts'

const MARKER = 'Qznodes'
const RACERS = 16
const REJECTED = '401 token_rejected'

after(endSharedServers)

describe('a game that is deleted through one of two nodes', function () {
  this.timeout(120_000)
  let side: SideBySide
  let filesDir: string
  let nodes: readonly [World, World]
  let doomed: GameToDelete
  let other: GameToDelete

  before(async () => {
    builtProgram()
    filesDir = await mkdtemp(join(tmpdir(), 'scorebook-deletion-files-'))
    side = await openSideBySide({ apis: 0, projectors: 0 })
    const env = { ROLES: '', FILES_DIR: filesDir }
    nodes = [(await side.startApi(env)).world, (await side.startApi(env)).world]
    other = await makeGameToDelete(nodes[0], 'Qzother')
    doomed = await makeGameToDelete(nodes[0], MARKER)
  })
  after(async () => {
    await side.close()
    await rm(filesDir, { recursive: true })
  })
  afterEach(() => closeRoomClients())

  async function enter({ port }: World, { game, player }: GameToDelete): Promise<RoomClient> {
    const sent = { token: player.token }
    const { ticket } = must(await nodes[0].call('POST', `/api/gm/${game.id}/rt/ticket/`, sent), 201)
    const roomClient = await connected({ ticket, port })
    expect((await roomClient.ask('join', { room: 'lobby' })).ok).to.equal(true)
    return roomClient
  }

  async function follow({ port }: World, { game }: GameToDelete): Promise<Lines> {
    const lines = await openLines(port, `/api/gm/${game.id}/events/?follow=1`, game.token)
    await lines.next()
    return lines
  }

  const calls = ({ game, client, player, board, score }: GameToDelete) => [
    [`/api/gm/${game.id}/`, game.token] as const,
    [`/api/lb/${board}/`, client] as const,
    [`/api/score/${score}/`, player.token] as const,
  ]

  /**
   * Calls until the token is rejected. Calls that began less than two seconds after the deletion may still be admitted,
   * and may find the game or not.
   */
  async function untilRejected(node: World, path: string, token: string, deletedMs: number): Promise<void> {
    for (;;) {
      const beganMs = performance.now() - deletedMs
      const answer = await node.call('GET', path, { token })
      if (answer.status === 401) return void expect(answerCode(answer)).to.equal(REJECTED)
      expect(answer.status).to.be.oneOf([200, 404])
      if (beganMs > SYNCED_WITHIN_MS) throw new Error(`let in ${Math.round(beganMs)} ms after the deletion`)
    }
  }

  it('is refused by both nodes, its sockets and event streams end, and those of another game continue', async () => {
    for (const node of nodes)
      for (const [path, token] of calls(doomed)) must(await node.call('GET', path, { token }), 200)
    const visitors = await Promise.all(nodes.map((node) => enter(node, doomed)))
    const followers = await Promise.all(nodes.map((node) => follow(node, doomed)))
    const others = await Promise.all(nodes.map((node) => follow(node, other)))

    must(await deleteGame(nodes[0], doomed.game.id, doomed.name), 202)
    const deletedMs = performance.now()
    for (const [path, token] of calls(doomed)) {
      expect(answerCode(await nodes[0].call('GET', path, { token }))).to.equal(REJECTED)
      await untilRejected(nodes[1], path, token, deletedMs)
    }
    for (const node of nodes) {
      expect(answerCode(await handshake(node, doomed.game.server))).to.equal('401 challenge_rejected')
    }
    for (const roomClient of visitors) {
      // A node that got no CPU time may have stale revocations and then closes all connections. A view without the game
      // may also come before the revocation.
      expect((await roomClient.next('closing')).code).to.be.oneOf(['revoked', 'unavailable', 'rooms_off'])
      await roomClient.over
    }
    for (const follower of followers) await follower.all()

    const player = await makePlayer(nodes[1], other.game, 'Qzother late')
    for (const lines of others) {
      while (!JSON.stringify(await lines.next()).includes(player));
      lines.close()
    }
  })

  it('is in no document, Redis key, file or stream after its removal, and a second deletion answers 404', async () => {
    await untilErased(nodes[1], doomed.game.id)
    expect(await storedWith(nodes[0], MARKER)).to.deep.equal([])
    expect(filesWith(filesDir, MARKER)).to.deep.equal([])
    expect(filesWith(filesDir, 'Qzother')).to.not.deep.equal([])
    for (const node of nodes) {
      const again = await deleteGame(node, doomed.game.id, doomed.name)
      expect(answerCode(again)).to.equal('404 game_not_found')
    }
  })

  it(`is deleted by exactly one of ${RACERS} concurrent calls to both nodes`, async () => {
    const game = await makeGame(nodes[0], 'Qzraced')
    const racing = Array.from({ length: RACERS }, (_, n) => deleteGame(nodes[n % 2] as World, game.id, 'Qzraced'))
    const answers = (await Promise.all(racing)).map(({ status }) => status).sort()
    expect(answers).to.deep.equal([202, ...Array(RACERS - 1).fill(404)])
  })
})
