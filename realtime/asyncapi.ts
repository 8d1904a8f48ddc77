// The AsyncAPI document of the rooms, generated from the event schemas, so it always matches what the server accepts
// and sends.

import { z } from 'zod'
import { ABOUT_CLIENT_EVENTS, ABOUT_SERVER_EVENTS } from './event-texts.ts'
import { CLIENT_EVENTS, type ClientEvent, REFUSALS, SERVER_EVENTS } from './events.ts'

interface DocumentInfo {
  readonly version: string
  /** The URL that clients connect to. */
  readonly url: string
  /** Recorded bodies by message, such as `client.join`. */
  readonly examples?: Readonly<Record<string, unknown>>
}

const ABOUT = `Chat rooms and live leaderboards of a game, over Socket.IO 4 on the path \`/socket.io/\`.

**Connecting.** POST \`/api/gm/{game}/rt/ticket/\` answers a ticket and the URL. Connect within 30 seconds with \`?ticket=\`.

**Events.** Each event of a client takes one object and an optional acknowledgement, which is called with
\`{ok: true, …answer}\` or \`{ok: false, code, detail}\`. The answer also comes as the event named here.

**Refusals** come as \`refused\`, with one of the codes ${REFUSALS.map((code) => `\`${code}\``).join(', ')}.`

const ref = (path: string) => ({ $ref: `#/${path}` })
const inRooms = (name: string) => ref(`channels/rooms/messages/${name}`)

export function asyncApiDocument({ version, url, examples = {} }: DocumentInfo) {
  const { host, protocol } = new URL(url)
  const all = {
    ...messages('client', CLIENT_EVENTS, 'input', examples),
    ...messages('server', SERVER_EVENTS, 'output', examples),
  }
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Scorebook rooms',
      version,
      description: ABOUT,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      rooms: {
        host,
        protocol: protocol === 'https:' ? 'wss' : 'ws',
        pathname: '/socket.io/',
        description: 'Socket.IO 4. It begins with HTTP or a WebSocket.',
        security: [ref('components/securitySchemes/ticket')],
      },
    },
    channels: {
      rooms: {
        address: '/',
        title: 'Rooms',
        description: 'The only namespace. One connection is in at most 32 rooms and watches at most 8 leaderboards.',
        parameters: {},
        bindings: {
          ws: { query: { type: 'object', required: ['ticket'], properties: { ticket: { type: 'string' } } } },
        },
        messages: Object.fromEntries(Object.keys(all).map((name) => [name, ref(`components/messages/${name}`)])),
      },
    },
    operations: operations(),
    components: {
      messages: all,
      securitySchemes: {
        ticket: {
          type: 'httpApiKey',
          in: 'query',
          name: 'ticket',
          description: 'From POST /api/gm/{game}/rt/ticket/. It opens one connection, within 30 seconds.',
        },
      },
    },
  }
}

/** One operation for each event of a client with its answer, and one for what comes unasked. */
function operations() {
  const clients = Object.keys(CLIENT_EVENTS) as ClientEvent[]
  const asked = clients.map((event) => {
    const { operation, summary, description, answer } = ABOUT_CLIENT_EVENTS[event]
    const body = {
      action: 'receive',
      channel: ref('channels/rooms'),
      title: operation,
      summary,
      description,
      messages: [inRooms(`client.${event}`)],
      reply: { channel: ref('channels/rooms'), messages: [inRooms(`server.${answer}`), inRooms('server.refused')] },
    }
    return [operation, body] as const
  })
  const events = Object.keys(SERVER_EVENTS).map((event) => inRooms(`server.${event}`))
  const heard = {
    action: 'send',
    channel: ref('channels/rooms'),
    title: 'hearEvents',
    summary: 'Everything that the server sends',
    description: 'Answers, events of rooms and of watched leaderboards, and the reason before the connection ends.',
    messages: events,
  }
  return { ...Object.fromEntries(asked), hearEvents: heard }
}

function messages(
  direction: 'client' | 'server',
  events: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
  examples: Readonly<Record<string, unknown>>,
) {
  const texts: Readonly<Record<string, { readonly summary: string; readonly description: string }>> =
    direction === 'client' ? ABOUT_CLIENT_EVENTS : ABOUT_SERVER_EVENTS
  return Object.fromEntries(
    Object.entries(events).map(([event, shape]) => {
      const { $schema: _, ...payload } = z.toJSONSchema(shape, { io, unrepresentable: 'any' })
      const { summary = '', description = '' } = texts[event] ?? {}
      const name = `${direction}.${event}`
      const example = examples[name]
      const shown = example === undefined ? {} : { examples: [{ name: event, payload: example }] }
      return [name, { name: event, title: event, summary, description, payload, ...shown }]
    }),
  )
}
