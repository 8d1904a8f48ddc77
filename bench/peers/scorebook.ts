// Scorebook by its HTTP API, in a new game with two unique leaderboards. Players sign in as guests. SCOREBOOK_OPERATOR
// names the operator.json of the server. Start it with RATE_LIMITS=off, since all players have one address.

import { readFile } from 'node:fs/promises'
import pMap from 'p-map'
import { call, clientToken, guest, handshake, makeGame, postText, type World } from '../support/test-game.ts'
import { type Peer, type PeerScore, peerCalls, SIGN_INS } from './peer.ts'

/** Calls with many submissions under way at one time. */
const CALLS_IN_FLIGHT = 2

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
  const serverToken = await handshake(origin, world.key)
  const second = { name: 'Bench 2', unique: true, ordering: 'desc' }
  const made = await call<{ id: string }>(origin, 'POST', `/api/gm/${world.game}/lb/`, {
    token: serverToken,
    body: second,
  })
  const boards = [world.board, made.id] as const
  const submission = ({ player, board, score }: PeerScore) => {
    return { leaderboard: boards[board], player: signedIn[player]?.id, score: String(score) }
  }
  const requests = (scores: readonly PeerScore[]) => [
    postText(`/api/gm/${world.game}/scores/`, serverToken, { submissions: scores.map(submission) }),
  ]
  const board = `/api/lb/${world.board}/score/`
  const paths = { submit: board, around: ({ id }: { id: string }) => `${board}?around=${id}&limit=20` }
  return peerCalls(origin, signedIn, { ...paths, top: `${board}?limit=20` }, { connections: CALLS_IN_FLIGHT, requests })
}
