// Nakama 3 by its HTTP API. Players sign in by device ids. Only the server's own scripts can make a leaderboard. Put
// this line into data/modules/bench.lua:
//
//     require("nakama").leaderboard_create("bench", false, "desc", "best")
//
// and start the server with --session.token_expiry_sec 7200, since its tokens end after a minute otherwise.
// NAKAMA_SERVER_KEY is its server key, `defaultkey` unless set.

import pMap from 'p-map'
import { call } from '../support/test-game.ts'
import { type Peer, peerCalls, SIGN_INS } from './peer.ts'

const SIGN_IN = '/v2/account/authenticate/device?create=true'
const BOARD = '/v2/leaderboard/bench'

export const nakama: Peer = async (origin, players) => {
  const serverKey = process.env.NAKAMA_SERVER_KEY ?? 'defaultkey'
  const headers = { Authorization: `Basic ${Buffer.from(`${serverKey}:`).toString('base64')}` }
  const signIn = async (_: unknown, n: number) => {
    const body = { id: `bench-device-${n}` }
    const { token } = await call<{ token: string }>(origin, 'POST', SIGN_IN, { headers, body })
    return { token, id: userIdOf(token) }
  }
  const signedIn = await pMap(Array.from({ length: players }), signIn, { concurrency: SIGN_INS })
  return peerCalls(origin, signedIn, {
    submit: BOARD,
    around: ({ id }) => `${BOARD}/owner/${id}?limit=20`,
    top: `${BOARD}?limit=20`,
  })
}

/** The `uid` claim of a token. */
function userIdOf(token: string): string {
  const claims: { uid: string } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return claims.uid
}
