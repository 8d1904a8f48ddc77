// Records the examples of the OpenAPI document: calls every operation of a new server once, by its sample, and keeps
// what was sent and answered. `npm run record:examples` writes them to http/openapi/examples.json.

import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Socket } from 'socket.io-client'
import type { Example, Examples } from '../../../http/openapi/examples.ts'
import { operationOf } from '../../../http/openapi/operations/all.ts'
import { LINES_TYPE } from '../../../http/pipeline/lines.ts'
import { makeBoard, signInGuest } from '../../front-door/game-fixtures.ts'
import type { Answered, Body, Sent } from '../../front-door/http-client.ts'
import { must, openWorld, tokenOf, type World } from '../../front-door/world.ts'
import { closeRoomClients, openRoomsFixture, type RoomClient } from '../../realtime/rooms-fixture.ts'
import { goodCall, makeSampleGame, nameOf, pathOf, SAMPLES, type SampleGame, TABLE } from '../../security/samples.ts'
import { BODIES, extraCalls, QUERIES, refusedCalls } from './calls.ts'
import { createNormalise } from './normalise.ts'

const FILE = fileURLToPath(new URL('../../../http/openapi/examples.json', import.meta.url))
const SECRET = 'shared-by-the-rooms-and-the-api-0'
const TICK_MS = 10

/** Between two examples. */
const PAUSE_MS = 1_000

interface Recorded {
  parameters?: Record<string, string | number>
  body?: unknown
  readonly answers: Record<string, unknown>
}

export async function recordExamples(): Promise<Examples> {
  const world = await openWorld()
  try {
    await world.restart({ realtimeSecret: SECRET })
    return await record(withTickingClock(world))
  } finally {
    await world.close()
  }
}

/** Each call has another time, so that lists in the order of creation have the same order in each recording. */
function withTickingClock(world: World): World {
  const call: World['call'] = (method, path, sent) => {
    world.clock.nowMs += TICK_MS
    return world.call(method, path, sent)
  }
  return Object.create(world, { call: { value: call } })
}

async function record(world: World): Promise<Examples> {
  world.clock.nowMs = Math.ceil(world.clock.nowMs / 1_000) * 1_000
  const startMs = world.clock.nowMs
  const normalise = createNormalise(startMs)
  const operations: Record<string, Recorded> = {}
  const sampleGame = await makeSampleGame(world, 'Quest')
  const add = (id: string, answered: Answered) => {
    operations[id] ??= { answers: {} }
    operations[id].answers[answered.status] = normalise(shownOf(id, answered))
    world.clock.nowMs += PAUSE_MS
  }
  const problems: Record<string, Body> = {}
  for (const { status, body } of await refusedCalls(sampleGame)) {
    if (status < 400) throw new Error(`a call that should be refused is answered with ${status}`)
    problems[body.code] = normalise(body)
  }
  for (const { operation, method, path, sent } of await extraCalls(sampleGame)) {
    add(operation, succeeded(operation, await world.call(method, path, sent)))
  }
  for (const route of TABLE) {
    const { id } = operationOf(route.method, route.path)
    const { path, parameters, sent } = await callOf(route, id, sampleGame)
    add(id, succeeded(id, await world.call(route.method, path, sent)))
    Object.assign(operations[id] ?? {}, {
      ...(Object.keys(parameters).length > 0 && { parameters: normalise(parameters) }),
      ...(sent.body !== undefined && { body: normalise(sent.body) }),
    })
  }
  await recordRedeemedTicket(sampleGame, (sent, answered) => {
    add('redeemRoomTicket', answered)
    Object.assign(operations.redeemRoomTicket ?? {}, { body: normalise(sent) })
  })
  const rooms = sorted(normalise(await recordRooms(world)) as Record<string, unknown>)
  return { operations: sorted(operations) as Record<string, Example>, problems: sorted(problems), rooms }
}

function succeeded(id: string, answered: Answered): Answered {
  if (answered.status < 300) return answered
  throw new Error(`the example of ${id} is refused: ${answered.text}`)
}

async function callOf(route: (typeof TABLE)[number], id: string, sampleGame: SampleGame) {
  const sample = SAMPLES[nameOf(route)]
  if (sample === undefined) throw new Error(`there is no sample of ${nameOf(route)} in test/security/samples.ts`)
  const { world, game, client } = sampleGame
  const { '?': query = QUERIES[id] ?? '', ...named } = (await sample.params?.(sampleGame)) ?? {}
  const own = BODIES[id]
  const sent = { ...(await goodCall(sample, sampleGame)), ...(own !== undefined && { body: own }) }
  const isOperators = route.path.startsWith('/api/sys/') || JSON.stringify(route.needs).includes('"sys:games"')
  const token = async () => {
    if (isOperators && !route.path.startsWith('/api/gm/:game/keys/')) return tokenOf(world, world.operator)
    // A new session for each call, as signing out ends it.
    if (sample.asPlayer === true) return (await signInGuest(world, game, client, 'Quest guest')).token
    return route.tenantOnly || !route.path.includes('/player/') ? game.token : client
  }
  const withToken: Sent = sample.sent === undefined ? { ...sent, token: await token() } : sent
  const inQuery = Object.fromEntries(new URLSearchParams(query))
  const parameters = {
    ...named,
    ...Object.fromEntries(Object.entries(inQuery).map(([name, text]) => [name, typed(text)])),
  }
  return { path: pathOf(route, { ...named, ...(query !== '' && { '?': query }) }), parameters, sent: withToken }
}

const typed = (text: string): string | number => (/^[0-9]+$/.test(text) ? Number(text) : text)

/** The first line of an answer in lines, the last of a verification; the beginning of a document. */
function shownOf(id: string, { headers, text, body }: Answered): unknown {
  if (headers['content-type']?.startsWith(LINES_TYPE) === true) {
    const lines = text.trimEnd().split('\n')
    return JSON.parse((id === 'verifyViews' ? lines.at(-1) : lines[0]) ?? '')
  }
  if (id === 'getOpenApi' || id === 'getAsyncApi') {
    const { openapi, asyncapi, info } = body
    return {
      ...(openapi === undefined ? { asyncapi } : { openapi }),
      info: { title: info.title, version: info.version },
    }
  }
  return id === 'listEventSchemas' ? { schemas: body.schemas.slice(0, 3) } : body
}

async function recordRedeemedTicket(
  { world, game, client }: SampleGame,
  onAnswer: (sent: Body, answered: Answered) => void,
): Promise<void> {
  const guest = await signInGuest(world, game, client, 'Quest guest')
  const { ticket } = must(await world.call('POST', `/api/gm/${game.id}/rt/ticket/`, { token: guest.token }), 201)
  const headers = { 'x-realtime-secret': SECRET }
  const answered = await world.call('POST', '/api/rt/redeem/', { headers, body: { ticket } })
  must(answered, 200)
  onAnswer({ ticket }, answered)
}

const sorted = <Value>(all: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(FILE, `${JSON.stringify(await recordExamples(), null, 2)}\n`)
}

/** Bodies by message, such as `client.join`, as they were sent and received. */
export async function recordRooms(world: World): Promise<Record<string, unknown>> {
  const fixture = await openRoomsFixture(world)
  const { game } = fixture
  const bodies: Record<string, unknown> = {}
  const board = await makeBoard(world, game, { name: 'Quest board' })
  const ada = await fixture.enter({ name: 'Quest player' })
  const grace = await fixture.enter({ name: 'Quest scorer' })
  for (const { socket } of [ada, grace]) keep(socket, bodies)
  const ask = (client: RoomClient, event: string, body: object) => {
    bodies[`client.${event}`] = body
    return client.ask(event, body)
  }
  const { room } = await ask(ada, 'create', { name: 'Lobby', max_members: 8 })
  await ask(grace, 'rooms', { search: 'lob' })
  await ask(grace, 'join', { room: room.id, since: 0 })
  await ada.next('member_joined')
  await ask(ada, 'send', { room: room.id, data: { text: 'hello' } })
  await grace.next('message')
  const { ticket } = must(await world.call('POST', `/api/gm/${game.id}/rt/listen/`, { token: game.token }), 201)
  const tenant = await fixture.enter({ ticket })
  keep(tenant.socket, bodies)
  await ask(tenant, 'listen', { room: room.id })
  await ask(ada, 'watch', { leaderboard: board, top: 10 })
  const body = { score: '1250.5', extra_data: { level: 7 } }
  must(await world.call('POST', `/api/lb/${board}/score/`, { token: grace.guest?.token ?? '', body }), 201)
  await ada.next('board_changed')
  await ask(ada, 'unwatch', { leaderboard: board })
  await ask(grace, 'leave', { room: room.id })
  await ada.next('member_left')
  // Grace has left, so this is refused, and the example of `send` is the one before.
  await grace.ask('send', { room: room.id, data: { text: 'again' } })
  await grace.next('refused')
  must(
    await world.call('PUT', `/api/gm/${game.id}/`, { token: game.token, body: { realtime: { enabled: false } } }),
    200,
  )
  await ada.next('closing')
  closeRoomClients()
  return bodies
}

function keep(socket: Socket, bodies: Record<string, unknown>): void {
  socket.onAny((event: string, body: unknown) => {
    bodies[`server.${event}`] ??= body
  })
}
