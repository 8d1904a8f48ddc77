// What the AsyncAPI document says of each event.

import type { ClientEvent, ServerEvent } from './events.ts'

interface ClientEventText {
  /** The id of the operation. */
  readonly operation: string
  readonly summary: string
  readonly description: string
  readonly answer: ServerEvent
}

export const ABOUT_CLIENT_EVENTS: Readonly<Record<ClientEvent, ClientEventText>> = {
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
      'After the answer, `board_changed` comes for each change. Needs the permission `lb:{leaderboard}:scores`.',
    answer: 'board',
  },
  unwatch: {
    operation: 'unwatchLeaderboard',
    summary: 'Stops watching a leaderboard',
    description: 'No `board_changed` of that leaderboard comes after the answer.',
    answer: 'unwatched',
  },
}

export const ABOUT_SERVER_EVENTS: Readonly<Record<ServerEvent, Readonly<Record<'summary' | 'description', string>>>> = {
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
    description: 'Answers `leave`; also sent to listeners when the room ends.',
  },
  member_joined: { summary: 'Somebody joined', description: 'Sent to the other members of the room.' },
  member_left: {
    summary: 'Somebody left',
    description: 'Sent to the other members. `reason` is `left`, `disconnected`, `slow_consumer` or `node_lost`.',
  },
  message: {
    summary: 'A message in a room',
    description: '`seq` rises by one with each message of the room; a direct message has none.',
  },
  refused: {
    summary: 'An event that was refused',
    description: 'Names the event, the code and what to do. The connection stays open.',
  },
  board: { summary: 'The top of a watched leaderboard', description: 'Answers `watch`.' },
  board_changed: {
    summary: 'Changes of a watched leaderboard',
    description:
      'Each changed rank with its score, or null if no entry has that rank now. `seq` rises by one each time: after a gap, watch again.',
  },
  unwatched: {
    summary: 'A leaderboard is no longer watched',
    description: 'Answers `unwatch`; also sent when the leaderboard or the permission was removed.',
  },
  closing: {
    summary: 'The connection is about to end',
    description:
      '`code` is `revoked`, `rooms_off`, `too_fast`, `unavailable`, `rooms_lost` or `closing`. Request a new ticket to connect again.',
  },
}
