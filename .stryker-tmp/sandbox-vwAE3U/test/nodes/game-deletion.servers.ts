// A game that is deleted at one of two nodes: both refuse its keys and tokens, close its sockets and end the streams of its events.
// Nothing of it is left in any store, and another game goes on.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, afterEach, before, describe, it } from 'mocha'
import { HEARD_WITHIN_MS } from '../../access/revocations.ts'
import { builtProgram } from '../crash/build.ts'
import { deleteGame, type GameToDelete, makeGameToDelete, untilErased } from '../front-door/game-to-delete.ts'
import { type Lines, openLines } from '../front-door/lines.ts'
import { makeGame, makePlayer } from '../front-door/scenery.ts'
import { filesWith, storedWith } from '../front-door/stored-texts.ts'
import { outcome } from '../front-door/tenant.ts'
import { handshake, must, type World } from '../front-door/world.ts'
import { closeVisitors, connected, type Visitor } from '../realtime/party.ts'
import { endSharedServers } from '../servers/places.ts'
import { openSideBySide, type SideBySide } from './side-by-side.ts'

const MARKER = 'Qznodes'
const RACERS = 16
const REJECTED = { status: 401, code: 'token_rejected' }

after(endSharedServers)

describe('a game that is deleted at one of two nodes', function () {
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
  afterEach(() => closeVisitors())

  async function enter({ port }: World, { game, player }: GameToDelete): Promise<Visitor> {
    const sent = { token: player.token }
    const { ticket } = must(await nodes[0].call('POST', `/api/gm/${game.id}/rt/ticket/`, sent), 201)
    const visitor = await connected({ ticket, port })
    expect((await visitor.ask('join', { room: 'lobby' })).ok).to.equal(true)
    return visitor
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
   * Calls until the token is rejected. Calls that began less than two seconds after the deletion may be let in, and find the
   * game or find that it is gone.
   */
  async function untilRejected(node: World, path: string, token: string, deletedMs: number): Promise<void> {
    for (;;) {
      const beganMs = performance.now() - deletedMs
      const answer = await node.call('GET', path, { token })
      if (answer.status === 401) return void expect(outcome(answer)).to.deep.equal(REJECTED)
      expect(answer.status).to.be.oneOf([200, 404])
      if (beganMs > HEARD_WITHIN_MS) throw new Error(`let in ${Math.round(beganMs)} ms after the deletion`)
    }
  }

  it('is refused by both, whose sockets and event streams of it end, while those of another game go on', async () => {
    for (const node of nodes)
      for (const [path, token] of calls(doomed)) must(await node.call('GET', path, { token }), 200)
    const visitors = await Promise.all(nodes.map((node) => enter(node, doomed)))
    const followers = await Promise.all(nodes.map((node) => follow(node, doomed)))
    const others = await Promise.all(nodes.map((node) => follow(node, other)))

    must(await deleteGame(nodes[0], doomed.game.id, doomed.name), 202)
    const deletedMs = performance.now()
    for (const [path, token] of calls(doomed)) {
      expect(outcome(await nodes[0].call('GET', path, { token }))).to.deep.equal(REJECTED)
      await untilRejected(nodes[1], path, token, deletedMs)
    }
    for (const node of nodes) {
      expect(outcome(await handshake(node, doomed.game.server))).to.deep.equal({
        status: 401,
        code: 'challenge_rejected',
      })
    }
    for (const visitor of visitors) {
      // A node that the machine had no time for did not hear of revocations, and cuts everybody.
      expect((await visitor.next('closing')).code).to.be.oneOf(['revoked', 'unavailable'])
      await visitor.over
    }
    for (const follower of followers) await follower.all()

    const player = await makePlayer(nodes[1], other.game, 'Qzother late')
    for (const lines of others) {
      while (!JSON.stringify(await lines.next()).includes(player));
      lines.close()
    }
  })

  it('is in no document, Redis key, file or stream once its removal is over, and deleted again is 404', async () => {
    await untilErased(nodes[1], doomed.game.id)
    expect(await storedWith(nodes[0], MARKER)).to.deep.equal([])
    expect(filesWith(filesDir, MARKER)).to.deep.equal([])
    expect(filesWith(filesDir, 'Qzother')).to.not.deep.equal([])
    for (const node of nodes) {
      const again = await deleteGame(node, doomed.game.id, doomed.name)
      expect(outcome(again)).to.deep.equal({ status: 404, code: 'game_not_found' })
    }
  })

  it(`is deleted by one of ${RACERS} calls at both`, async () => {
    const game = await makeGame(nodes[0], 'Qzraced')
    const racing = Array.from({ length: RACERS }, (_, n) => deleteGame(nodes[n % 2] as World, game.id, 'Qzraced'))
    const answers = (await Promise.all(racing)).map(({ status }) => status).sort()
    expect(answers).to.deep.equal([202, ...Array(RACERS - 1).fill(404)])
  })
})
