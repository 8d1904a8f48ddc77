// The AsyncAPI document of the rooms, generated from the event schemas, so it always matches what the server accepts
// and sends.

import { z } from 'zod'
import { CLIENT_EVENTS, REFUSALS, SERVER_EVENTS } from './events.ts'

const ABOUT: Readonly<Record<string, string>> = {
  rooms: 'Lists the listed rooms of the game; answered by `rooms`.',
  create: 'Creates a room and joins it; answered by `joined`.',
  join: 'Joins a room; answered by `joined`. With `since`, the answer has the kept messages after that one.',
  leave: 'Leaves a room; answered by `left`.',
  send: 'Sends a message to all members including the sender, or with `to` to one member; received as `message`.',
  watch: 'Watches the top of a leaderboard; answered by `board`, then by `board_changed` for each change.',
  unwatch: 'Stops watching a leaderboard; answered by `unwatched`.',
}

const ref = (path: string) => ({ $ref: `#/${path}` })

/** `info.url` is the URL that clients connect to. */
export function asyncApiDocument(info: { readonly version: string; readonly url: string }) {
  const { host, protocol } = new URL(info.url)
  const clients = messages('client', CLIENT_EVENTS, 'input')
  const servers = messages('server', SERVER_EVENTS, 'output')
  const names = (all: object) => Object.keys(all).map((name) => ref(`channels/rooms/messages/${name}`))
  const all = { ...clients, ...servers }
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Scorebook rooms',
      version: info.version,
      description:
        'Socket.IO 4 on the path /socket.io/. Each client event takes one object and an optional acknowledgement, which is ' +
        'called with {ok: true, …answer} or {ok: false, code, detail}; the answer also comes as the event named. ' +
        `A refusal comes as \`refused\`, with one of ${REFUSALS.join(', ')}.`,
    },
    servers: { rooms: { host, protocol: protocol === 'https:' ? 'wss' : 'ws', pathname: '/socket.io/' } },
    channels: {
      rooms: {
        address: '/',
        parameters: {},
        bindings: {
          ws: { query: { type: 'object', required: ['ticket'], properties: { ticket: { type: 'string' } } } },
        },
        messages: Object.fromEntries(Object.keys(all).map((name) => [name, ref(`components/messages/${name}`)])),
      },
    },
    operations: {
      clientSends: { action: 'receive', channel: ref('channels/rooms'), messages: names(clients) },
      clientHears: { action: 'send', channel: ref('channels/rooms'), messages: names(servers) },
    },
    components: { messages: all },
  }
}

function messages(direction: 'client' | 'server', events: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output') {
  return Object.fromEntries(
    Object.entries(events).map(([name, shape]) => {
      const { $schema: _, ...payload } = z.toJSONSchema(shape, { io, unrepresentable: 'any' })
      const summary = direction === 'client' ? { summary: ABOUT[name] ?? '' } : {}
      return [`${direction}.${name}`, { name, ...summary, payload }]
    }),
  )
}
