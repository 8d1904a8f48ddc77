// Tickets and seats over two nodes: exactly one of many concurrent connections with a ticket is admitted, no room
// exceeds its limit, and the seats of a dead node are free again soon.

import type { Body } from '../front-door/http-client.ts'
import { pause } from '../until.ts'
import { dial, openRoomsFixture, type RoomClient, type RoomsFixture } from './rooms-fixture.ts'
import type { RoomsNodes } from './rooms-nodes.ts'

const RACERS = 64
const CHECK_EVERY_MS = 50
/** Fewer than the attempts that one connection may make. */
const TRY_EVERY_MS = 500
const FREE_MAX_MS = 60_000

/** How many of the racers are decided when the fault begins: none, one or half of them, alternating per race. */
const BEGINS_AFTER = [0, 1, RACERS / 2] as const

/**
 * Returns how many of 64 connections with one ticket are admitted, alternating between both nodes. If there is a fault,
 * as many try the same ticket again afterwards: a fault must not make it valid again. `race` starts the fault.
 */
export async function raceForRoomTicket(
  two: RoomsNodes,
  fixture: RoomsFixture,
  meanwhile: (() => Promise<unknown>) | null = null,
  race = 0,
): Promise<number> {
  const { token } = await fixture.guest()
  const ticket = await untilGiven(() => fixture.ticket(token))
  if (meanwhile === null) return (await racing(two, ticket).won).length
  const { won, decided } = racing(two, ticket)
  const fault = decided(BEGINS_AFTER[race % BEGINS_AFTER.length] ?? 0).then(meanwhile)
  const [first] = await Promise.all([won, fault])
  await untilBack(two, fixture)
  const again = await racing(two, ticket).won
  return first.length + again.length
}

/** The sockets are closed once all of them are decided. */
function racing({ nodes }: RoomsNodes, ticket: string) {
  const racers = Array.from({ length: RACERS }, (_, n) => dial({ ticket, port: nodes[n % 2 === 0 ? 0 : 1].port }))
  let count = 0
  const waiting: { readonly least: number; readonly resolve: () => void }[] = []
  const outcomes = racers.map(
    (socket) =>
      new Promise<boolean>((resolve) => {
        let isDecided = false
        const decide = (isIn: boolean) => {
          if (isDecided) return
          isDecided = true
          count++
          for (const { least, resolve: wake } of waiting) if (count >= least) wake()
          resolve(isIn)
        }
        socket.once('connect', () => decide(true))
        socket.once('connect_error', () => decide(false))
        socket.once('disconnect', () => decide(false))
      }),
  )
  const won = Promise.all(outcomes).then((all) => {
    for (const socket of racers) socket.disconnect()
    return all.filter(Boolean)
  })
  /** Resolves once this many are decided. */
  const decided = (least: number) =>
    new Promise<void>((resolve) => {
      if (count >= least) resolve()
      else waiting.push({ least, resolve })
    })
  return { won, decided }
}

/** Retries calls that a store refuses while it restarts. */
async function untilGiven<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch {
      await pause(CHECK_EVERY_MS)
    }
  }
}

/** Waits until every node works again after the Redis fault: rooms can be created there. */
export async function untilBack({ nodes }: RoomsNodes, fixture: RoomsFixture): Promise<void> {
  for (const { port } of nodes) {
    await untilGiven(async () => {
      const roomClient = await fixture.enter({ port })
      const made = await roomClient.ask('create', { name: 'Back' })
      roomClient.socket.disconnect()
      if (!made.ok) throw new Error(made.code)
    })
  }
}

export interface SeatsProof {
  /** Number of checks of the room, by the list and by its members, and the maximum that either returned. */
  readonly checks: number
  readonly most: number
  /** Number of seats on the node that died. */
  readonly dying: number
  /** Milliseconds from the death of a node until others had taken all seats of the room. */
  readonly freeMs: number
  readonly faults: readonly string[]
}

/** Many try to get into one room over two nodes, one of which is killed meanwhile; the rest retry. */
export async function proveSeats(
  { world, nodes }: RoomsNodes,
  { joiners, seats }: { readonly joiners: number; readonly seats: number },
): Promise<SeatsProof> {
  const fixture = await openRoomsFixture(world, { require_player: false, max_room_size: 1_000 })
  await fixture.set({}, { fixed_rooms: [{ id: 'seats', name: 'Seats', max_members: seats, listed: true }] })
  const visitors: RoomClient[] = []
  for (let n = 0; n < joiners; n += 20) {
    const more = Array.from({ length: Math.min(20, joiners - n) }, (_, m) =>
      fixture.enter({ token: fixture.client, port: nodes[m % 2 === 0 ? 0 : 1].port }),
    )
    visitors.push(...(await Promise.all(more)))
  }
  const watcher = await fixture.enter({ token: fixture.client, port: nodes[0].port })
  const faults: string[] = []
  const seated = new Set<RoomClient>()
  let [checks, most, isOver] = [0, 0, false]
  const join = async (roomClient: RoomClient) => {
    roomClient.socket.on('disconnect', () => seated.delete(roomClient))
    while (!isOver && roomClient.socket.connected) {
      const asked = roomClient.socket.timeout(FREE_MAX_MS).emitWithAck('join', { room: 'seats' })
      const answer: Body | null = await Promise.race([asked.catch(() => null), roomClient.over.then(() => null)])
      if (answer?.ok) {
        seated.add(roomClient)
        return
      }
      if (answer !== null && !['room_full', 'too_fast'].includes(answer.code)) faults.push(`a join: ${answer.code}`)
      await pause(TRY_EVERY_MS)
    }
  }
  // Makes sure that the node that dies has some of the seats.
  const isDying = ({ socket }: RoomClient) => Number(new URL(uriOf(socket)).port) === nodes[1].port
  const first = visitors.filter(isDying).slice(0, seats >> 1)
  await Promise.all(first.map(join))
  const listed = async () => (await watcher.ask('rooms', {})).rooms?.[0]?.members ?? 0
  const checking = (async () => {
    while (!isOver) {
      const members = await listed()
      checks++
      most = Math.max(most, members, seated.size)
      await pause(CHECK_EVERY_MS)
    }
  })()
  const joining = visitors.filter((one) => !first.includes(one)).map(join)
  while (seated.size < seats) await pause(CHECK_EVERY_MS)
  const killedMs = performance.now()
  const dying = [...seated].filter(isDying).length
  await nodes[1].kill()
  while ([...seated].length > seats - dying && performance.now() - killedMs < FREE_MAX_MS) await pause(1)
  while (seated.size < seats && performance.now() - killedMs < FREE_MAX_MS) await pause(CHECK_EVERY_MS)
  const freeMs = Math.round(performance.now() - killedMs)
  if (seated.size < seats) faults.push(`${seats - seated.size} of ${dying} seats of a dead node were not free again`)
  isOver = true
  await Promise.all([checking, ...joining])
  if (most > seats) faults.push(`${most} were seen in a room of ${seats}`)
  const members = await listed()
  if (members !== seats) faults.push(`the list says ${members} where ${seats} sit`)
  for (const { socket } of [...visitors, watcher]) socket.disconnect()
  await nodes[1].begin()
  return { checks, most, dying, freeMs, faults }
}

const uriOf = ({ io }: RoomClient['socket']): string => (io as unknown as { readonly uri: string }).uri

export interface KillsProof {
  readonly rooms: number
  /** Milliseconds from each death until the list was right. */
  readonly rightMs: readonly number[]
  readonly faults: readonly string[]
}

/**
 * Kills one node after another, with rooms of its own and rooms shared with the other node; then the list must show
 * exactly the open rooms, each once.
 */
export async function proveKilledRooms(
  { world, nodes }: RoomsNodes,
  rounds: number,
  report: (line: string) => void = () => {},
): Promise<KillsProof> {
  const fixture = await openRoomsFixture(world, { require_player: false })
  const faults: string[] = []
  const rightMs: number[] = []
  let rooms = 0
  for (let round = 0; round < rounds; round++) {
    const [stays, dies] = round % 2 === 0 ? nodes : [nodes[1], nodes[0]]
    const enter = (port: number) => fixture.enter({ token: fixture.client, port })
    const [ours, theirs, more] = [await enter(stays.port), await enter(dies.port), await enter(dies.port)]
    const shared: string = (await theirs.ask('create', { name: `shared ${round}` })).room.id
    await ours.ask('join', { room: shared })
    const own: string = (await ours.ask('create', { name: `own ${round}` })).room.id
    await more.ask('join', { room: own })
    await Promise.all(
      [theirs, more].map((one) => one.ask('create', { name: `dying ${round}`, listed: one === theirs })),
    )
    rooms += 4
    const killedMs = performance.now()
    await dies.kill()
    const restarting = round % 3 === 0 ? dies.begin() : null
    const wanted = [shared, own].sort().map((id) => `${id} 1`)
    const found = async () => {
      const { rooms: listed, count } = await ours.ask('rooms', { limit: 100 })
      if (count !== listed.length) faults.push(`${count} rooms were counted, and ${listed.length} listed`)
      return listed.map(({ id, members }: { id: string; members: number }) => `${id} ${members}`).sort()
    }
    let last = await found()
    while (String(last) !== String(wanted) && performance.now() - killedMs < FREE_MAX_MS) {
      await pause(CHECK_EVERY_MS)
      last = await found()
    }
    if (String(last) === String(wanted)) rightMs.push(Math.round(performance.now() - killedMs))
    else faults.push(`round ${round}: ${last.join(', ')} in place of ${wanted.join(', ')}`)
    await (restarting ?? dies.begin())
    const other = await enter(dies.port)
    for (const room of [shared, own]) {
      const answer = await other.ask('join', { room })
      if (answer.members?.length !== 2) faults.push(`round ${round}: ${JSON.stringify(answer)} to a join afterwards`)
    }
    await Promise.all([ours.leave(), other.leave()])
    const after = await enter(stays.port)
    while ((await after.ask('rooms', {})).count > 0) await pause(CHECK_EVERY_MS)
    await after.leave()
    report(`${round + 1} of ${rounds} kills, ${faults.length} wrong`)
  }
  return { rooms, rightMs, faults }
}
