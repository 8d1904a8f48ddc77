// Attacks by connections: many requests in one write, answers that nobody reads, headers and requests that never end.

import { setTimeout as pause } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { ALLOWED_ORIGIN } from '../attacked-game.ts'
import { flood } from './bodies.ts'
import { connections, keepOpen, write } from './sockets.ts'

const HOST = 'Host: 127.0.0.1\r\n'
const BLOCK = 1_000
/** Names of one character and two digits, which fill most of the 16 KiB of headers. */
const HEADER_NAMES = Array.from({ length: 3_700 }, (_, n) => `${String.fromCharCode(97 + (n % 26))}${n % 100}`).join(
  ',',
)

function pipelined(name: string, count: number, requestOf: (token: string) => string): Attack {
  return {
    name,
    run: (context) =>
      connections(context, count, {
        reads: false,
        drive: async (socket, n) => {
          const { guests } = context.attackedGame
          const block = requestOf(guests[n % guests.length] ?? '').repeat(BLOCK)
          while (await write(context, socket, block));
        },
      }),
  }
}

export const CONNECTION_ATTACKS: readonly Attack[] = [
  pipelined('pipelined OpenAPI, unread', 5, () => `GET /api/openapi.json HTTP/1.1\r\n${HOST}\r\n`),
  pipelined('pipelined refusals, unread, 200 connections', 200, () => `GET /api/nothing/ HTTP/1.1\r\n${HOST}\r\n`),
  {
    name: 'pipelined score pages, unread',
    run: (context) =>
      connections(context, 50, {
        reads: false,
        drive: async (socket, n) => {
          const { board, guests } = context.attackedGame
          const path = `/api/lb/${board}/score/?limit=100`
          const page = `GET ${path} HTTP/1.1\r\n${HOST}Authorization: Bearer ${guests[n % guests.length]}\r\n\r\n`
          while (await write(context, socket, page.repeat(50)));
        },
      }),
  },
  {
    name: 'idle connections, 5,000',
    run: (context) => connections(context, 5_000, { reads: true, drive: (socket) => keepOpen(context, socket) }),
  },
  {
    name: 'headers byte by byte, 1,000 connections',
    run: (context) =>
      connections(context, 1_000, {
        reads: true,
        drive: async (socket) => {
          await write(context, socket, `GET / HTTP/1.1\r\n${HOST}X: `)
          while (await write(context, socket, 'x')) await pause(1_000)
        },
      }),
  },
  {
    name: 'headers of 16 KB without an end, 1,000 connections',
    run: (context) =>
      connections(context, 1_000, {
        reads: true,
        drive: async (socket) => {
          await write(context, socket, `GET / HTTP/1.1\r\n${HOST}X: ${'x'.repeat(15_000)}`)
          await keepOpen(context, socket)
        },
      }),
  },
  {
    name: 'requests pipelined after an Upgrade header',
    run: (context) =>
      connections(context, 100, {
        reads: false,
        drive: async (socket) => {
          const upgrade = `GET /api/nothing/ HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`
          while (await write(context, socket, upgrade.repeat(100)));
        },
      }),
  },
  {
    name: 'preflights that ask for 3,700 headers',
    run: (context) =>
      flood(context, 64, async (caller) => {
        const { sentBytes } = await caller.call('OPTIONS', `/api/lb/${context.attackedGame.board}/score/`, {
          headers: {
            origin: ALLOWED_ORIGIN,
            'access-control-request-method': 'POST',
            'access-control-request-headers': HEADER_NAMES,
          },
        })
        return { sentBytes: sentBytes + HEADER_NAMES.length }
      }),
  },
]
