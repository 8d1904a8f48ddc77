// The AsyncAPI document of the rooms, generated from the event schemas, so it always matches what the server accepts
// and sends.

import { z } from 'zod'
import { CLIENT_EVENTS, type ClientEvent, REFUSALS, SERVER_EVENTS, type ServerEvent } from './events.ts'

interface DocumentInfo {
  readonly version: string
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

interface ClientEventText {
  readonly operation: string
  readonly summary: string
  readonly description: string
  readonly answer: ServerEvent
}

const ABOUT_CLIENT_EVENTS: Readonly<Record<ClientEvent, ClientEventText>> = {
  rooms: {
    operation: 'listRooms',
    summary: 'Lists the listed rooms of the game',
    description: 'With `search`, rooms whose name contains that text, if the game allows searching.',
    answer: 'rooms',
  },
  create: {
    operation: 'createRoom',
    summary: 'Creates a room and joins it',
    description: 'The room ends when its last member leaves. A game may switch creating off.',
    answer: 'joined',
  },
  join: {
    operation: 'joinRoom',
    summary: 'Joins a room',
    description:
      'With `since`, the `seq` of the last message that was received, the answer has the kept messages after it in `missed`, or ' +
      'null if they are no longer kept.',
    answer: 'joined',
  },
  leave: {
    operation: 'leaveRoom',
    summary: 'Leaves a room',
    description: 'The other members receive `member_left`.',
    answer: 'left',
  },
  listen: {
    operation: 'listenToRoom',
    summary: 'Hears a room without a seat',
    description:
      'Only on a connection with a ticket of `POST rt/listen`, which may send nothing but this, `watch` and `unwatch`. After the answer ' +
      'come the events of the room, except direct messages. When the room ends, `left` comes.',
    answer: 'listening',
  },
  send: {
    operation: 'sendMessage',
    summary: 'Sends a message to a room, or to one of its members',
    description:
      'All members, including the sender, receive `message` in the same order. With `to`, only that member and the sender receive it. ' +
      '`data` is any JSON within the game’s limit of bytes.',
    answer: 'message',
  },
  watch: {
    operation: 'watchLeaderboard',
    summary: 'Watches the top of a leaderboard',
    description:
      'After the answer, `board_changed` comes for each change. Needs the permission `lb:{leaderboard}:scores`. `leaderboard` is an id ' +
      'or a key; answers and changes have the id. A connection has one watch per leaderboard: a later one replaces it. With ' +
      '`season: "current"` the scores are those of the current season; when the next one begins, `board` comes again. Without an open ' +
      'season it is refused with `no_seasons`.',
    answer: 'board',
  },
  unwatch: {
    operation: 'unwatchLeaderboard',
    summary: 'Stops watching a leaderboard',
    description:
      'No `board_changed` of that leaderboard comes after the answer. It takes the id, or the key with which it was watched.',
    answer: 'unwatched',
  },
}

const ABOUT_SERVER_EVENTS: Readonly<Record<ServerEvent, Readonly<Record<'summary' | 'description', string>>>> = {
  rooms: { summary: 'A page of rooms', description: 'Answers `rooms`; `count` is the number of all that match.' },
  joined: {
    summary: 'The room that was joined',
    description: 'Answers `create` and `join`. `seq` is the number of the last message before it.',
  },
  listening: {
    summary: 'The room that is heard',
    description: 'Answers `listen`. `seq` is the number of the last message before it.',
  },
  left: {
    summary: 'The room that was left',
    description:
      'Answers `leave`; also sent to listeners when the room ends, and to a connection whose seat was freed because it did not ' +
      'answer when its player joined again.',
  },
  member_joined: { summary: 'Somebody joined', description: 'Sent to the other members of the room.' },
  member_left: {
    summary: 'Somebody left',
    description:
      'Sent to the other members. `reason` is `left`, `disconnected`, `slow_consumer`, `node_lost`, or `replaced` (the connection ' +
      'did not answer when its player joined again; in a full room `member_joined` of that player follows), or the code of the ' +
      '`closing` that ended the connection.',
  },
  message: {
    summary: 'A message in a room',
    description: '`seq` rises by one with each message of the room; a direct message has none.',
  },
  refused: {
    summary: 'An event that was refused',
    description:
      'Names the event, the code and what to do. The connection stays open. `watch` is also refused later, with `no_seasons`, if the ' +
      'schedule of a watched season is removed; `unwatched` follows.',
  },
  board: {
    summary: 'The top of a watched leaderboard',
    description: 'Answers `watch`; also sent when a watched season is followed by the next, with the next `seq`.',
  },
  board_changed: {
    summary: 'Changes of a watched leaderboard',
    description:
      'Each changed rank with its score, or null if no entry has that rank now. `seq` rises by one each time: after a gap, watch again.',
  },
  unwatched: {
    summary: 'A leaderboard is no longer watched',
    description: 'Answers `unwatch`; also sent when the leaderboard, its seasons or the permission was removed.',
  },
  closing: {
    summary: 'The connection is about to end',
    description:
      '`code` is `revoked`, `rooms_off`, `too_fast`, `unavailable`, `rooms_lost` or `closing`. Request a new ticket to connect again.',
  },
}
