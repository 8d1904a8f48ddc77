// The full figures of the rooms over two nodes, for `npm run proof:rooms`.

import { mishaps } from './mishaps.ts'
import { openParty } from './party.ts'
import { proveDeafReader, proveFlooder, proveKnocks, proveNonsense } from './prove-hostile.ts'
import { proveOrder } from './prove-order.ts'
import { proveRevoked } from './prove-revoked.ts'
import { proveKilledRooms, proveSeats, raceForRoomTicket } from './prove-seats.ts'
import { openRoomsNodes, type RoomsNodes } from './rooms-nodes.ts'

const RACES = 25
const SENDERS = 4
const MESSAGES_EACH = 5_000
const JOINERS = 500
const SEATS = 50
const FREE_MOST_MS = 10_000
const KILL_ROUNDS = 50
const CUT_MOST_MS = 2_000
const DEAF_MOST_MS = 5_000
const OTHERS_MOST = 1.5
/** A quiet machine's 99th of 100 is noise below this. */
const NOISE_MS = 5
const CALM_MS = 5_000
const FLOODED_MOST_MS = 8_000
const KNOCKS = 5_000
const KNOCKS_MOST_BYTES = 20_000_000
const FRAMES = 100_000

export interface RoomsProof {
  readonly tried: readonly string[]
  readonly lost: readonly string[]
}

type Note = (line: string, faults: readonly string[]) => void

export async function proveRooms(seed: number, told: (line: string) => void): Promise<RoomsProof> {
  const tried: string[] = []
  const lost: string[] = []
  const note: Note = (line, faults) => {
    told(`${line}; ${faults.length} wrong`)
    tried.push(line)
    lost.push(...faults)
  }
  for (const kind of ['apart', 'whole'] as const) {
    const nodes = await openRoomsNodes(kind)
    try {
      await proveFair(nodes, note)
      if (kind === 'apart') {
        await proveHarmless(nodes, seed, note)
        await proveThroughDeaths(nodes, note)
      }
    } finally {
      await nodes.close()
    }
  }
  return { tried, lost }
}

async function proveFair(nodes: RoomsNodes, note: Note): Promise<void> {
  const party = await openParty(nodes.world)
  for (const meanwhile of [null, () => nodes.side.redis.restart()]) {
    let won = 0
    const wrong: string[] = []
    for (let n = 0; n < RACES; n++) {
      const winners = await raceForRoomTicket(nodes, party, meanwhile)
      won += winners
      if (winners > 1 || (meanwhile === null && winners !== 1)) wrong.push(`${winners} were let in by one ticket`)
    }
    note(
      `${RACES} races of 64 for a ticket${meanwhile === null ? '' : ', Redis restarted meanwhile'}: ${won} won`,
      wrong,
    )
  }
  const { cutMs, faults } = await proveRevoked(nodes, true)
  const late = Object.entries(cutMs).filter(([, ms]) => ms > CUT_MOST_MS)
  const took = Object.entries(cutMs).map(([what, ms]) => `${what} ${ms}`)
  note(`cut on both nodes within ms: ${took.join(', ')}`, [...faults, ...late.map(([what, ms]) => `${what}: ${ms} ms`)])
  const order = await proveOrder(nodes, { senders: SENDERS, each: MESSAGES_EACH })
  note(`${order.acknowledged} messages of ${SENDERS}, ${order.members} members: ${order.gaps} gaps`, order.faults)
}

async function proveThroughDeaths(nodes: RoomsNodes, note: Note): Promise<void> {
  const befallen = await proveOrder(nodes, { senders: SENDERS, each: 1_000, mishaps: Object.entries(mishaps(nodes)) })
  const times = Object.entries(befallen.recovered).map(([what, ms]) => `${what} ${ms}`)
  const told = `${befallen.cuts} cuts, ${befallen.gaps} gaps told; all hear again after ms: ${times.join(', ')}`
  note(`${befallen.acknowledged} messages while all kinds of things befall: ${told}`, befallen.faults)
  const { looks, most, freeMs, faults } = await proveSeats(nodes, { joiners: JOINERS, seats: SEATS })
  const late = freeMs > FREE_MOST_MS ? [`seats were free after ${freeMs} ms`] : []
  note(`${JOINERS} joiners, ${SEATS} seats: at most ${most} in ${looks} looks, free after ${freeMs} ms`, [
    ...faults,
    ...late,
  ])
  const killed = await proveKilledRooms(nodes, KILL_ROUNDS)
  const slow = killed.rightMs.filter((ms) => ms > FREE_MOST_MS).map((ms) => `a list was right after ${ms} ms`)
  const worst = Math.max(...killed.rightMs)
  note(`${KILL_ROUNDS} nodes killed, ${killed.rooms} rooms: lists right within ${worst} ms`, [
    ...killed.faults,
    ...slow,
  ])
}

async function proveHarmless(nodes: RoomsNodes, seed: number, note: Note): Promise<void> {
  const unmoved = (what: string, p99: { readonly before: number; readonly while: number }) =>
    p99.while <= Math.max(NOISE_MS, p99.before * OTHERS_MOST) ? [] : [`${what}: others waited ${JSON.stringify(p99)}`]
  const shown = (p99: { readonly before: number; readonly while: number }) =>
    `others’ p99 ${p99.while.toFixed(1)} ms, ${p99.before.toFixed(1)} before`
  const deaf = await proveDeafReader(nodes, CALM_MS)
  const isDeafLate = deaf.cutMs > DEAF_MOST_MS ? [`a reader that stopped was cut after ${deaf.cutMs} ms`] : []
  note(`a reader that stops: cut after ${deaf.cutMs} ms, ${shown(deaf.p99)}`, [
    ...isDeafLate,
    ...unmoved('deaf', deaf.p99),
  ])
  const flood = await proveFlooder(nodes, CALM_MS)
  const isFlooded = flood.refused && flood.cutMs <= FLOODED_MOST_MS ? [] : ['a flooder was not refused and cut']
  note(`a flooder: cut after ${flood.cutMs} ms, ${shown(flood.p99)}`, [...isFlooded, ...unmoved('flood', flood.p99)])
  const { answers, grownBytes } = await proveKnocks(nodes, KNOCKS)
  const dead = await proveKnocks(nodes, KNOCKS, true)
  const isLetIn = Object.keys({ ...answers, ...dead.answers }).some((status) => !status.startsWith('4'))
    ? [JSON.stringify(answers)]
    : []
  const isGrown = grownBytes > KNOCKS_MOST_BYTES ? [`${grownBytes} bytes after ${KNOCKS} handshakes`] : []
  note(`${KNOCKS} handshakes without a ticket: ${(grownBytes / 1e6).toFixed(1)} MB more`, [...isLetIn, ...isGrown])
  const { closed } = await proveNonsense(nodes, FRAMES, seed)
  note(`${FRAMES} frames of nonsense: ${closed} connections closed, and nobody else’s`, [])
}
