// Attacks by files: uploads that are not sent, sent slowly or taken over, downloads that nobody reads, endless folders.

import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Attack, AttackContext } from '../attack.ts'
import { callerFrom } from '../caller.ts'
import { flood } from './bodies.ts'
import { connections, keepOpen, write } from './sockets.ts'

const SIZE = 1_000_000
/** Uploads that several connections contend for. */
const CONTENDED = 20

async function linkOf(context: AttackContext, n: number, kind: 'download' | 'upload'): Promise<string> {
  const { bucket, file, guests } = context.attackedGame
  const caller = callerFrom(context.address, context.port, 1)
  const token = guests[n % guests.length]
  const body = { path: `/slow-${n}-${process.pid}.bin`, size: SIZE }
  const made =
    kind === 'download'
      ? caller.must('GET', `/api/bkt/${bucket}/download/?path=${file}`, { token })
      : caller.must('POST', `/api/bkt/${bucket}/upload/`, { token, body })
  return made
    .then(
      ({ url }) => new URL(url).pathname,
      () => '',
    )
    .finally(() => caller.close())
}

/** Sends the head of an upload and its first bytes. */
async function beginUpload(
  context: AttackContext,
  socket: Socket,
  path: string | undefined,
  bytes: number,
): Promise<void> {
  await write(context, socket, `PUT ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${SIZE}\r\n\r\n`)
  await write(context, socket, Buffer.alloc(bytes))
}

/** 200 connections, each with an upload of its own: `drive` continues after its first bytes. */
const uploads = (context: AttackContext, bytes: number, drive: (socket: Socket) => Promise<void>) =>
  connections(context, 200, {
    reads: true,
    drive: async (socket, n) => {
      const path = await linkOf(context, n, 'upload')
      if (path === '') return
      await beginUpload(context, socket, path, bytes)
      await drive(socket)
    },
  })

export const FILE_ATTACKS: readonly Attack[] = [
  {
    name: 'downloads of 8 MiB, unread, 200 connections',
    run: (context) =>
      connections(context, 200, {
        reads: false,
        drive: async (socket, n) => {
          const path = await linkOf(context, n, 'download')
          if (path === '') return
          await write(context, socket, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
          await keepOpen(context, socket)
        },
      }),
  },
  {
    name: 'uploads taken over in a loop, 200 connections',
    run: (context) => {
      const links = Array.from({ length: CONTENDED }, (_, n) => linkOf(context, n, 'upload'))
      return connections(context, 200, {
        reads: true,
        drive: async (socket, n) => {
          const path = await links[n % CONTENDED]
          await beginUpload(context, socket, path, 60_000)
          // Silent, so that the next connection takes over.
          await keepOpen(context, socket)
        },
      })
    },
  },
  {
    name: 'uploads sent byte by byte, 200 connections',
    run: (context) =>
      uploads(context, 60_000, async (socket) => {
        while (await write(context, socket, 'x')) await pause(500)
      }),
  },
  {
    name: 'uploads that stop after 520 KB, 200 connections',
    run: (context) => uploads(context, 520_000, (socket) => keepOpen(context, socket)),
  },
  {
    name: 'uploads begun and never sent',
    run: (context) =>
      flood(context, 32, (caller, n) =>
        caller.call('POST', `/api/bkt/${context.attackedGame.bucket}/upload/`, {
          token: context.attackedGame.guests[n % context.attackedGame.guests.length],
          body: { path: `/begun-${n}.bin`, size: 10 },
        }),
      ),
  },
  {
    name: 'folders without end',
    run: (context) =>
      flood(context, 32, (caller, n) =>
        caller.call('POST', `/api/bkt/${context.attackedGame.bucket}/dir/`, {
          token: context.attackedGame.guests[n % context.attackedGame.guests.length],
          body: { path: `/folder-${n}/` },
        }),
      ),
  },
]
