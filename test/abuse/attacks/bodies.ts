// Attacks by bodies: one-byte chunks, bodies that come slowly, large and deep JSON.

import { setTimeout as pause } from 'node:timers/promises'
import type { Attack, AttackContext } from '../attack.ts'
import { callerFrom } from '../caller.ts'
import { connections, keepOpen, write } from './sockets.ts'

const HOST = 'Host: 127.0.0.1\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const CHUNK = '1\r\nx\r\n'
const CHUNKS = 65_536

function redeemHead({ attackedGame }: AttackContext, framing: string): string {
  const key = `X-API-Key: ${attackedGame.clientKey.prefix}\r\n`
  return `POST /api/auth/jwt/redeem/ HTTP/1.1\r\n${HOST}${key}${JSON_TYPE}${framing}\r\n\r\n`
}

/** `lanes` calls at the same time, one after another in each lane. */
export async function flood(
  context: AttackContext,
  lanes: number,
  send: (caller: ReturnType<typeof callerFrom>, n: number) => Promise<{ readonly sentBytes: number }>,
): Promise<void> {
  const caller = callerFrom(context.address, context.port, lanes)
  let n = 0
  const lane = async () => {
    while (!context.isOver()) {
      const answer = await send(caller, n++).catch(() => null)
      if (answer === null) await pause(50)
      else context.sent(answer.sentBytes)
    }
  }
  const all = Promise.all(Array.from({ length: lanes }, lane))
  while (!context.isOver()) await pause(50)
  caller.close()
  await all
}

export const BODY_ATTACKS: readonly Attack[] = [
  {
    name: 'bodies in one-byte chunks, 100 connections',
    run: (context) =>
      connections(context, 100, {
        reads: true,
        drive: async (socket) => {
          await write(context, socket, redeemHead(context, 'Transfer-Encoding: chunked'))
          const some = CHUNK.repeat(4_096)
          for (let sent = 0; sent < CHUNKS - 4_096; sent += 4_096) {
            if (!(await write(context, socket, some))) return
          }
          while (await write(context, socket, CHUNK)) await pause(1_000)
        },
      }),
  },
  {
    name: 'chunked bodies behind pipelined requests, 300 connections',
    run: (context) =>
      connections(context, 300, {
        reads: false,
        drive: async (socket) => {
          const earlier = `GET /api/openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(30)
          const head = redeemHead(context, 'Expect: x\r\nTransfer-Encoding: chunked')
          await write(context, socket, earlier + head + CHUNK.repeat(10_500))
          await keepOpen(context, socket)
        },
      }),
  },
  {
    name: 'bodies byte by byte, 1,000 connections',
    run: (context) =>
      connections(context, 1_000, {
        reads: true,
        drive: async (socket) => {
          await write(context, socket, redeemHead(context, 'Content-Length: 60000') + 'x'.repeat(50_000))
          while (await write(context, socket, 'x')) await pause(1_000)
        },
      }),
  },
  {
    name: 'deep and wide JSON',
    run: (context) => {
      const { board, guests } = context.attackedGame
      const deep = `{"score":"1","extra_data":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
      const wide = `{"score":"1","extra_data":[${Array.from({ length: 30_000 }, () => '1').join(',')}]}`
      const long = `{"score":"${'9'.repeat(60_000)}"}`
      const bodies = [deep, wide, long]
      return flood(context, 50, (caller, n) =>
        caller.call('POST', `/api/lb/${board}/score/`, { token: guests[n % guests.length], raw: bodies[n % 3] }),
      )
    },
  },
  {
    name: '500 guests submit extra_data of 8 KB',
    run: (context) => {
      const { board, guests } = context.attackedGame
      const extra_data = { text: 'x'.repeat(8_000) }
      return flood(context, 100, (caller, n) =>
        caller.call('POST', `/api/lb/${board}/score/`, {
          token: guests[n % guests.length],
          body: { score: String(n), extra_data },
          headers: { 'idempotency-key': `key-${n}` },
        }),
      )
    },
  },
  {
    name: 'lists of 500 submissions of two players in turn, 4 in flight',
    run: (context) => {
      const { game, board, pair, serverToken: token } = context.attackedGame
      return flood(context, 4, (caller, n) => {
        const submissions = Array.from({ length: 500 }, (_, nth) => {
          return { leaderboard: board, player: pair[nth % 2], score: `${(n * 500 + nth) % 1_000_000}` }
        })
        return caller.call('POST', `/api/gm/${game}/scores/`, { token, body: { submissions } })
      })
    },
  },
]
