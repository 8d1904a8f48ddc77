// Attacks by reads that cost more than others, and by ids that do not exist.

import { randomBytes } from 'node:crypto'
import type { Attack, AttackContext } from '../attack.ts'
import { flood } from './bodies.ts'
import { connections, keepOpen, write } from './sockets.ts'

/** Reads of the board by `guests` tokens in rotation, `lanes` at the same time. */
const reads = (
  name: string,
  lanes: number,
  guests: number,
  queryOf: (n: number, context: AttackContext) => string,
) => ({
  name,
  run: (context: AttackContext) =>
    flood(context, lanes, (caller, n) =>
      caller.call('GET', `/api/lb/${context.attackedGame.board}/score/?${queryOf(n, context)}`, {
        token: context.attackedGame.guests[n % guests],
      }),
    ),
})

const since = (n: number) => new Date(Date.now() - 600_000 + n * 37).toISOString()
const MIXED = [
  (n: number) => `player_name=${n % 100}`,
  (n: number) => `min_score=${n}&max_score=${n + 500_000}`,
  (n: number) => `since=${since(n)}&window=best`,
  (n: number) => `since=${since(n)}&player_name=1`,
  (n: number) => `as_of=${since(n)}`,
  (n: number) => `order=newest&player_name=${n % 10}`,
]

const unreadStream = (name: string, query: string): Attack => ({
  name,
  run: (context) =>
    connections(context, 100, {
      reads: false,
      drive: async (socket) => {
        const { game, serverToken } = context.attackedGame
        const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${serverToken}\r\n\r\n`
        await write(context, socket, `GET /api/gm/${game}/events/${query} HTTP/1.1\r\n${head}`)
        await keepOpen(context, socket)
      },
    }),
})

export const READ_ATTACKS: readonly Attack[] = [
  reads('8 filtered reads in flight by one guest', 8, 1, (n) => `player_name=${n % 100}`),
  reads('500 guests with costly reads', 500, 500, (n) => MIXED[n % MIXED.length]?.(n) ?? ''),
  reads('boards as of different instants', 32, 500, (n) => `as_of=${since(n)}`),
  {
    name: 'ids that do not exist',
    run: (context) =>
      flood(context, 64, (caller, n) => {
        const id = randomBytes(15).toString('hex').slice(0, 24)
        const token = context.attackedGame.guests[n % context.attackedGame.guests.length]
        const paths = [`/api/lb/${id}/`, `/api/score/${id}/`, `/api/bkt/${id}/`, `/api/lb/${id}/score/?player=${id}`]
        return caller.call('GET', paths[n % paths.length] ?? '', { token, headers: { 'idempotency-key': id } })
      }),
  },
  {
    name: 'repeats of calls on a stream of 6,000 events, 48 in flight',
    run: (context) =>
      flood(context, 48, (caller, n) => {
        const { board, busy: token } = context.attackedGame
        const headers = { 'idempotency-key': `repeated ${n % 100}` }
        const body = { score: String(n % 100) }
        return caller.call('POST', `/api/lb/${board}/score/`, { token, headers, body })
      }),
  },
  unreadStream('event exports, unread', ''),
  unreadStream('event streams, unread', '?follow=1'),
]
