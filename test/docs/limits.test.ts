// Compares the numbers of docs/operations.md, "What each caller can hold", with the constants in the code.

import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { MAX_CACHED_STATUSES } from '../../access/statuses.ts'
import { ROOM_TICKETS_PER_NETWORK } from '../../commands/room-ticket.ts'
import { CODE_TRIES, CODE_TRIES_PER_NETWORK } from '../../commands/sign-in/code.ts'
import * as lockOut from '../../commands/sign-in/lock-out.ts'
import { MAILS_PER_EMAIL } from '../../commands/sign-in/mail-code.ts'
import { TICKETS_PER_GAME } from '../../commands/sign-in/ticket.ts'
import { KEPT_CHARACTERS } from '../../commands/submission-texts.ts'
import { MAX_CACHED_STREAMS } from '../../commands/writer-cache.ts'
import { PASSWORDS_AT_ONCE, PASSWORDS_WAITING } from '../../credentials/passwords.ts'
import { MAX_CACHED_TOKEN_BYTES } from '../../credentials/tokens.ts'
import { NO_LIMITS } from '../../domain/game.ts'
import { MAX_SESSIONS } from '../../domain/session.ts'
import * as http from '../../http/connections/limits.ts'
import { LARGE_BODY_BYTES } from '../../http/pipeline/large-bodies.ts'
import {
  LARGE_WRITE_BYTES,
  LARGE_WRITES_PER_ADDRESS,
  WRITE_WAIT_MAX_MS,
  WRITES_PER_ADDRESS,
  WRITES_PER_ADDRESS_SHARED,
  WRITES_SHARED_MS,
} from '../../http/pipeline/writes.ts'
import { FOLLOWERS_MAX, FOLLOWERS_OF_A_GAME_MAX } from '../../http/routes/followers.ts'
import { LISTED_MEMBERS_MAX } from '../../http/routes/rooms.ts'
import { HEADERS_MAX_BYTES, HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from '../../http/server.ts'
import { MAX_CACHED_OVERVIEW_CHARACTERS, OVERVIEW_CACHE_MS } from '../../queries/overview/overview.ts'
import { MAX_CACHED_PREVIEWS, MAX_CACHED_PREVIEWS_OF_GAME, PREVIEW_CACHE_MS } from '../../queries/preview-cache.ts'
import { MAX_CACHED_PAGE_IDS } from '../../queries/scores/page-ids.ts'
import { MAX_CACHED_PAGE_CHARACTERS } from '../../queries/scores/text-pages.ts'
import { READ_LIMITS } from '../../queries/work-queue.ts'
import * as rooms from '../../realtime/limits.ts'
import { DEFAULT_ADDRESS_LIMITS as ADDRESS } from '../../runtime/rate-limits.ts'
import { SEATS_ASKED_MAX } from '../../stores/contract/rooms.ts'
import { CACHE_KIB, VIEWS_CACHE_KIB } from '../../stores/embedded/exclusive-database.ts'
import { MAX_RECENT_BYTES, MAX_RECENT_EVENTS } from '../../stores/embedded/recent-events.ts'
import { MAX_CACHED_CHARACTERS } from '../../stores/embedded/view-documents.ts'
import * as uploads from '../../stores/files/incoming-bytes.ts'

const number = (value: number) => value.toLocaleString('en-US')
const kib = (bytes: number) => `${number(bytes / 1_024)} KiB`
const mib = (bytes: number) => `${number(bytes / 1_048_576)} MiB`
const seconds = (ms: number) => `${number(ms / 1_000)} s`
const minutes = (ms: number) => `${number(ms / 60_000)} min`
const numbers = (values: readonly number[]) => values.map(number).join('; ')

/** The expected texts of each row, by its first two cells. */
const ROWS: readonly (readonly [what: string, who: string, ...expected: string[]])[] = [
  ['Connections', 'network address; node', numbers([http.CONNECTIONS_PER_ADDRESS, http.CONNECTIONS_PER_PROCESS])],
  ['Requests in flight', 'network address; node', numbers([http.REQUESTS_PER_ADDRESS, http.REQUESTS_PER_PROCESS])],
  [
    'What a node caches of keys, sessions, players, callers, streams and paths',
    'node',
    numbers([MAX_CACHED_STATUSES, MAX_CACHED_STATUSES]),
    number(MAX_CACHED_STREAMS),
  ],
  [
    'Bytes of uploads that are not written yet',
    'node',
    `${mib(uploads.UPLOADS_HELD_BYTES)}, shared by all uploads; past that ${kib(uploads.SMALL_BATCH_BYTES)} a batch`,
    seconds(uploads.GATHERED_MS),
  ],
  ['Bytes of an upload', 'upload', `2 batches of ${kib(uploads.BATCH_BYTES)}`],
  ['Other caches by id', 'node', `${number(MAX_CACHED_PAGE_IDS)} ids of documents of pages of scores`],
  [
    'Caches by bytes',
    'node',
    `texts of shown submissions ${mib(KEPT_CHARACTERS)}`,
    `texts of pages of scores ${mib(MAX_CACHED_PAGE_CHARACTERS)}`,
    `verified tokens ${mib(MAX_CACHED_TOKEN_BYTES)}`,
    `the newest ${number(MAX_RECENT_EVENTS)} events, of at most ${mib(MAX_RECENT_BYTES)}`,
    `documents ${mib(MAX_CACHED_CHARACTERS)} of JSON`,
    `the vault ${mib(CACHE_KIB * 1_024)} each, of the views ${mib(VIEWS_CACHE_KIB * 1_024)}`,
  ],
  [
    'Requests started',
    'network address',
    `${http.STARTS_PER_TURN} in one turn`,
    `${http.STARTS_PER_LONG_TURN} after a turn of more than ${http.LONG_TURN_MS} ms`,
    number(http.STARTS_PER_TURN_ALONE),
    seconds(http.STARTS_SHARED_MS),
  ],
  [
    'Writes that run',
    'network address',
    number(WRITES_PER_ADDRESS),
    `${WRITES_PER_ADDRESS_SHARED} where another address wrote within ${seconds(WRITES_SHARED_MS)}`,
    `${LARGE_WRITES_PER_ADDRESS} have bodies of ${kib(LARGE_WRITE_BYTES)}`,
    `at most ${seconds(WRITE_WAIT_MAX_MS)}`,
  ],
  [`Bodies of ${kib(LARGE_BODY_BYTES)} or more that are parsed`, 'node', '1, then a pause'],
  [
    'Pipelined requests',
    'connection; node',
    `${http.REQUESTS_IN_WORK_PER_CONNECTION} in work`,
    number(http.WAITING_PER_PROCESS),
  ],
  ['Pipelined requests', 'network address', number(http.WAITING_PER_ADDRESS)],
  [
    `Pipelined requests and chunks of bodies; a request with more than ${http.HEADERS_MAX} headers counts as ${http.PARSED_BY_TOO_MANY_HEADERS}`,
    'network address',
    `${http.PARSED_PER_TURN} in one turn`,
    `${number(http.PARSED_PER_SECOND)} a second`,
    number(http.WAITING_DEFERS_READS),
    seconds(http.READ_DEFERRED_MAX_MS),
  ],
  [
    'Bodies of pipelined requests that wait',
    'network address; node',
    numbers([http.BODIES_PER_ADDRESS, http.BODIES_PER_PROCESS]),
  ],
  [
    'Headers',
    'connection',
    String(http.HEADERS_MAX),
    kib(HEADERS_MAX_BYTES),
    seconds(HEADERS_TIMEOUT_MS),
    seconds(REQUEST_TIMEOUT_MS),
  ],
  [
    'Bodies that are arriving',
    'network address; node',
    numbers([http.BODIES_PER_ADDRESS, http.BODIES_PER_PROCESS]),
    seconds(http.BODY_TIMEOUT_MS),
  ],
  [
    'Rest of a refused body',
    'connection',
    mib(http.DRAIN_MAX_BYTES),
    `${number(http.DRAIN_MAX_CHUNKS)} chunks`,
    seconds(http.CLOSING_LINGER_MS),
    `after ${seconds(http.DRAIN_LINGER_MS)}`,
  ],
  [
    'Body',
    'request',
    kib(http.BODY_MAX_BYTES),
    `${number(http.BODY_MAX_CHUNKS)} chunks`,
    seconds(http.BODY_TIMEOUT_MS),
  ],
  [
    'Unread answers',
    'network address; node',
    `${mib(http.ANSWERS_PER_ADDRESS_BYTES)}; ${mib(http.ANSWERS_PER_PROCESS_BYTES)}`,
    seconds(http.ANSWER_STALL_MS),
    minutes(http.STREAM_STALL_MS),
  ],
  [
    'Event streams, player exports',
    'node; game',
    numbers([FOLLOWERS_MAX, FOLLOWERS_OF_A_GAME_MAX]),
    minutes(http.STREAM_STALL_MS),
  ],
  [
    '[Long reads](protocol.md#long-reads) that run',
    'node; game; network address; player (or key)',
    numbers(READ_LIMITS.running),
  ],
  [
    'Long reads that wait',
    'node; game; network address; player (or key)',
    numbers(READ_LIMITS.waiting),
    seconds(READ_LIMITS.maxWaitMs),
  ],
  [
    'Cached previews, for the next pages of their movers',
    'node; game',
    numbers([MAX_CACHED_PREVIEWS, MAX_CACHED_PREVIEWS_OF_GAME]),
    minutes(PREVIEW_CACHE_MS),
  ],
  [
    'Cached [overviews](protocol.md#13-history)',
    'node',
    `${mib(MAX_CACHED_OVERVIEW_CHARACTERS)} of their JSON`,
    seconds(OVERVIEW_CACHE_MS),
  ],
  ['Sign-in tickets that wait', 'game', number(TICKETS_PER_GAME)],
  ['Tickets to the rooms that wait to be used', 'network address', number(ROOM_TICKETS_PER_NETWORK)],
  ['Mailed codes', 'mail address', `${MAILS_PER_EMAIL} mails`],
  ['Mailed codes', 'network address', `${ADDRESS.mail_address.max} mails`],
  ['Mailed codes', 'game', `${number(NO_LIMITS.mailsPerQuarterHour ?? 0)} mails`],
  [
    'Wrong codes',
    'network address',
    `${ADDRESS.code_address.max} in ${minutes(ADDRESS.code_address.perSeconds * 1_000)}`,
  ],
  ['Wrong tries of one code', 'network address; all', numbers([CODE_TRIES_PER_NETWORK, CODE_TRIES])],
  [
    'Wrong passwords',
    'login; network address',
    numbers([lockOut.FAILURES_PER_LOGIN, ADDRESS.login_address.max]),
    minutes(lockOut.FAILURES_WITHIN_MS),
  ],
  ['Passwords being checked', 'node', `${PASSWORDS_AT_ONCE} at once, ${PASSWORDS_WAITING} wait`],
  [
    'Attempts that wait for another one of the same login or network address',
    'node; network address',
    numbers([lockOut.MAX_WAITING, lockOut.MAX_WAITING_OF_NETWORK]),
  ],
  ['Live sessions', 'player', number(MAX_SESSIONS)],
  ['Connections to the rooms', 'node', number(rooms.SOCKETS_PER_NODE)],
  ['Connections to the rooms', 'network address', number(rooms.SOCKETS_PER_ADDRESS)],
  ['Connections to the rooms', 'player', number(rooms.SOCKETS_PER_PLAYER)],
  [
    'Connection that has joined no namespace',
    'connection',
    `${number(rooms.EARLY_PACKETS_MAX)} packets`,
    kib(rooms.EARLY_MAX_BYTES),
    seconds(rooms.CONNECT_MAX_MS),
  ],
  ['WebSocket for a polling connection', 'connection', seconds(rooms.UPGRADE_MAX_MS), seconds(rooms.EARLY_WITHIN_MS)],
  [
    'Posted body (polling)',
    'connection',
    `${kib(rooms.FRAME_MAX_BYTES)} in ${number(rooms.POST_CHUNKS_MAX)} chunks, ${number(rooms.PACKETS_PER_POST_MAX)} packets`,
    seconds(rooms.POST_WITHIN_MS),
  ],
  ['Posted bodies (polling)', 'network address', `${rooms.POSTS_PER_NETWORK} at once`],
  [
    'WebSocket message',
    'connection',
    `${kib(rooms.FRAME_MAX_BYTES)}, ${rooms.FRAGMENTS_MAX} fragments, ${number(rooms.FRAME_CHUNKS_MAX)} pieces`,
    seconds(rooms.PING_EVERY_MS + rooms.PONG_WITHIN_MS),
  ],
  [
    'Sent and not read yet: incomplete messages and bodies, frames that wait',
    'network address; node',
    `${mib(rooms.RECEIVED_PER_NETWORK_BYTES)}; ${mib(rooms.RECEIVED_PER_NODE_BYTES)}`,
  ],
  ['Frames read', 'connection', `${rooms.FLOOD_FACTOR} times`, String(rooms.FRAMES_PER_TURN), seconds(rooms.FLOOD_MS)],
  ['Frames read', 'network address', number(rooms.FRAMES_PER_NETWORK), number(rooms.FRAMES_PER_NETWORK_AT_ONCE)],
  ['Events being answered', 'connection', String(rooms.PENDING_EVENTS_MAX)],
  [
    'Seats in rooms',
    'connection',
    String(rooms.ROOMS_PER_SOCKET),
    `${rooms.ATTEMPTS_MAX} joins or creations in ${seconds(rooms.ATTEMPTS_WITHIN_MS)}`,
  ],
  [
    'Joins of full rooms that wait for an older connection of the player',
    'connection; player',
    numbers([rooms.WAITING_JOINS_PER_SOCKET, rooms.WAITING_JOINS_PER_PLAYER]),
    `at most ${seconds(rooms.SEAT_ANSWER_MAX_MS)}`,
    `at most ${SEATS_ASKED_MAX} seats`,
  ],
  ['Open rooms that one player made', 'player', String(rooms.ROOMS_PER_PLAYER)],
  ['Open rooms made from one network address', 'network address', String(ADDRESS.rooms_address.max)],
  ['Listeners', 'room', String(rooms.LISTENERS_PER_ROOM)],
  ['Members in a page of GET `rooms/`', 'call', number(LISTED_MEMBERS_MAX)],
  ['Watched leaderboards', 'connection', String(rooms.WATCHES_PER_SOCKET), `${rooms.BOARD_TOP_MAX} rows`],
  ['Unread messages', 'connection', mib(rooms.UNSENT_MAX_BYTES), seconds(rooms.STALLED_MAX_MS)],
]

describe('the table of what each caller can hold', () => {
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const section = page.split('\n### What each caller can hold\n')[1]?.split('\n### ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| '))

  for (const [what, who, ...expected] of ROWS) {
    it(`has the limits of the program in the row of ${what}, ${who}`, () => {
      const found = rows.filter((row) => row.startsWith(`| ${what} | ${who} | `))
      expect(found).to.have.length(1)
      // Match whole numbers only: "20" must not match "200".
      const text = (found[0] ?? '').split(' | ').slice(2, 5).join(' | ')
      const missing = expected.filter(
        (one) => !new RegExp(`(?<![\\d,.])${one.replaceAll('.', '\\.')}(?![\\d]|,\\d)`).test(text),
      )
      expect(missing).to.deep.equal([])
    })
  }
})
