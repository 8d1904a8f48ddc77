// Nakama 3 by its HTTP API. Players sign in by device ids. Only the server's own scripts can make a leaderboard, and
// write scores for a game's server, which calls them by RPC. Put these lines into data/modules/bench.lua:
//
//     local nk = require("nakama")
//     nk.leaderboard_create("bench", false, "desc", "best")
//     nk.leaderboard_create("bench-2", false, "desc", "best")
//     nk.register_rpc(function(_, payload)
//       local one = nk.json_decode(payload)
//       return nk.json_encode(nk.leaderboard_record_write(one.leaderboard, one.player, one.name, one.score))
//     end, "bench_write")
//
// and start the server with --session.token_expiry_sec 7200, since its tokens end after a minute otherwise.
// NAKAMA_SERVER_KEY is its server key, `defaultkey` unless set, and NAKAMA_HTTP_KEY that of RPCs, `defaulthttpkey`.

import pMap from 'p-map'
import { call } from '../support/test-game.ts'
import { type ManySubmissions, type Peer, type PeerPlayer, peerCalls, SIGN_INS } from './peer.ts'

const SIGN_IN = '/v2/account/authenticate/device?create=true'
const BOARD = '/v2/leaderboard/bench'
const BOARDS = ['bench', 'bench-2'] as const
/** As many as the players' own submissions under way. */
const WRITES_IN_FLIGHT = 32

export const nakama: Peer = async (origin, players) => {
  const serverKey = process.env.NAKAMA_SERVER_KEY ?? 'defaultkey'
  const headers = { Authorization: `Basic ${Buffer.from(`${serverKey}:`).toString('base64')}` }
  const signIn = async (_: unknown, n: number) => {
    const body = { id: `bench-device-${n}` }
    const { token } = await call<{ token: string }>(origin, 'POST', SIGN_IN, { headers, body })
    return { token, id: userIdOf(token) }
  }
  const signedIn = await pMap(Array.from({ length: players }), signIn, { concurrency: SIGN_INS })
  const paths = { submit: BOARD, around: ({ id }: PeerPlayer) => `${BOARD}/owner/${id}?limit=20` }
  return peerCalls(origin, signedIn, { ...paths, top: `${BOARD}?limit=20` }, manySubmissions(origin, signedIn))
}

/** One RPC for each score: `leaderboard_record_write` takes one. */
function manySubmissions(origin: string, players: readonly PeerPlayer[]): ManySubmissions {
  const { host } = new URL(origin)
  const path = `/v2/rpc/bench_write?http_key=${process.env.NAKAMA_HTTP_KEY ?? 'defaulthttpkey'}&unwrap`
  return {
    connections: WRITES_IN_FLIGHT,
    requests: (scores) =>
      scores.map(({ player, board, score }) => {
        const written = { leaderboard: BOARDS[board], player: players[player]?.id, name: `Player ${player}`, score }
        const body = JSON.stringify(written)
        const kind = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
        return `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${kind}\r\n\r\n${body}`
      }),
  }
}

/** The `uid` claim of a token. */
function userIdOf(token: string): string {
  const claims: { uid: string } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return claims.uid
}
