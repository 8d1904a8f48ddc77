// Scorebook by its HTTP API, in a new game with a unique leaderboard. Players sign in as guests. SCOREBOOK_OPERATOR
// names the operator.json of the server. Start it with RATE_LIMITS=off, since all players have one address.

import { readFile } from 'node:fs/promises'
import pMap from 'p-map'
import { clientToken, guest, makeGame, type World } from '../support/test-game.ts'
import { type Peer, peerCalls, SIGN_INS } from './peer.ts'

export const scorebook: Peer = async (origin, players) => {
  const file = process.env.SCOREBOOK_OPERATOR
  if (file === undefined) throw new Error('Set SCOREBOOK_OPERATOR to the path of operator.json of the server.')
  const operator: World['key'] = JSON.parse(await readFile(file, 'utf8'))
  const world = await makeGame(origin, operator, { name: 'Bench', unique: true })
  const keyToken = await clientToken(origin, world)
  const signIn = async (_: unknown, n: number) => {
    const { token, player } = await guest(origin, { world, token: keyToken, name: `Player ${n}` })
    return { token, id: player.id }
  }
  const signedIn = await pMap(Array.from({ length: players }), signIn, { concurrency: SIGN_INS })
  const board = `/api/lb/${world.board}/score/`
  return peerCalls(origin, signedIn, {
    submit: board,
    around: ({ id }) => `${board}?around=${id}&limit=20`,
    top: `${board}?limit=20`,
  })
}
