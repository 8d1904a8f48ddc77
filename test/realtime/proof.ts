// Soak test of the rooms over two nodes, for `npm run proof:rooms`; `npm run proof:rooms -- kills flood` runs only
// those parts. A part that throws or times out counts as a fault, and the next part starts with new nodes.

import { faults } from './faults.ts'
import { type HostileProof, proveDeafReader, proveFlooder, proveKnocks, proveNonsense } from './prove-hostile.ts'
import { proveOrder } from './prove-order.ts'
import { proveRevoked } from './prove-revoked.ts'
import { proveKilledRooms, proveSeats, raceForRoomTicket } from './prove-seats.ts'
import { openRoomsFixture } from './rooms-fixture.ts'
import { openRoomsNodes, type RoomsNodes } from './rooms-nodes.ts'

const RACES = 25
const SENDERS = 4
const MESSAGES_EACH = 5_000
const JOINERS = 500
const SEATS = 50
const FREE_MAX_MS = 10_000
const KILL_ROUNDS = 50
const CUT_MAX_MS = 2_000
const DEAF_MAX_MS = 5_000
const OTHERS_MAX = 1.5
/** Below this, the 99th percentile of an idle machine is noise. */
const NOISE_MS = 5
const CALM_MS = 5_000
const FLOODED_MAX_MS = 8_000
/** Odd, because the median counts. */
const FLOODS = 5
const KNOCKS = 5_000
const KNOCKS_MAX_BYTES = 20_000_000
const FRAMES = 100_000
/** The longest part takes about half of it on a machine with two cores. */
const PART_MAX_MS = 15 * 60_000

interface RoomsProof {
  readonly tried: readonly string[]
  readonly lost: readonly string[]
}

type Note = (line: string, faults: readonly string[]) => void
type Tell = (line: string) => void
type Part = (nodes: RoomsNodes, note: Note, seed: number, tell: Tell) => Promise<void>
type Kind = 'apart' | 'whole'

const BOTH: readonly Kind[] = ['apart', 'whole']
const APART: readonly Kind[] = ['apart']

/** The parts in their order, and the kinds of nodes that each runs on. */
const PARTS: Readonly<Record<string, readonly [kinds: readonly Kind[], prove: Part]>> = {
  tickets: [BOTH, tickets],
  revoked: [BOTH, revoked],
  order: [BOTH, order],
  deaf: [APART, deaf],
  flood: [APART, flood],
  knocks: [APART, knocks],
  nonsense: [APART, nonsense],
  faults: [APART, underFaults],
  seats: [APART, seats],
  kills: [APART, kills],
}

/** `wanted` are names of parts; empty means all. */
export async function proveRooms(
  seed: number,
  report: (line: string) => void,
  wanted: readonly string[] = [],
): Promise<RoomsProof> {
  const names = Object.keys(PARTS)
  const unknown = wanted.filter((name) => PARTS[name] === undefined)
  if (unknown.length > 0) throw new RangeError(`There is no ${unknown.join(', ')}: choose from ${names.join(', ')}.`)
  const tried: string[] = []
  const lost: string[] = []
  for (const kind of BOTH) {
    const due = names.filter(
      (name) => PARTS[name]?.[0].includes(kind) && (wanted.length === 0 || wanted.includes(name)),
    )
    let nodes: RoomsNodes | null = null
    for (const name of due) {
      const began = performance.now()
      const note: Note = (line, faults) => {
        const shown = `${kind} ${name}: ${line} (${Math.round((performance.now() - began) / 1_000)} s)`
        report(`${shown}; ${faults.length} wrong`)
        tried.push(shown)
        lost.push(...faults.map((fault) => `${kind} ${name}: ${fault}`))
      }
      nodes ??= await openRoomsNodes(kind)
      const failure = await within(PART_MAX_MS, (PARTS[name] as readonly [unknown, Part])[1](nodes, note, seed, report))
      if (failure === null) continue
      note('did not end', [failure])
      await nodes.close()
      nodes = null
    }
    await nodes?.close()
  }
  return { tried, lost }
}

/** Null, or the error, or the timeout. */
async function within(mostMs: number, work: Promise<void>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`it was not over after ${mostMs / 1_000} s`), mostMs)
  })
  const done = work.then(
    () => null,
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  )
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}

async function tickets(nodes: RoomsNodes, note: Note): Promise<void> {
  const fixture = await openRoomsFixture(nodes.world)
  for (const meanwhile of [null, () => nodes.side.redis.restart()]) {
    let won = 0
    const wrong: string[] = []
    for (let n = 0; n < RACES; n++) {
      const winners = await raceForRoomTicket(nodes, fixture, meanwhile, n)
      won += winners
      if (winners > 1 || (meanwhile === null && winners !== 1)) wrong.push(`${winners} were admitted by one ticket`)
    }
    if (won === 0) wrong.push('no client was admitted, so the race proves nothing')
    const restarted = meanwhile === null ? '' : ', Redis restarted meanwhile'
    note(`${RACES} races of 64 for a ticket${restarted}: ${won} won`, wrong)
  }
}

async function revoked(nodes: RoomsNodes, note: Note): Promise<void> {
  const { cutMs, faults } = await proveRevoked(nodes, true)
  const late = Object.entries(cutMs).filter(([, ms]) => ms > CUT_MAX_MS)
  const took = Object.entries(cutMs).map(([what, ms]) => `${what} ${ms}`)
  note(`cut on both nodes within ms: ${took.join(', ')}`, [...faults, ...late.map(([what, ms]) => `${what}: ${ms} ms`)])
}

async function order(nodes: RoomsNodes, note: Note): Promise<void> {
  const { acknowledged, members, gaps, faults } = await proveOrder(nodes, { senders: SENDERS, each: MESSAGES_EACH })
  note(`${acknowledged} messages of ${SENDERS}, ${members} members: ${gaps} gaps`, faults)
}

async function underFaults(nodes: RoomsNodes, note: Note): Promise<void> {
  const all = Object.entries(faults(nodes))
  const proof = await proveOrder(nodes, { senders: SENDERS, each: 1_000, faults: all })
  const times = Object.entries(proof.recovered).map(([what, ms]) => `${what} ${ms}`)
  const report = `${proof.cuts} cuts, ${proof.gaps} gaps reported; all receive messages again after ms: ${times.join(', ')}`
  note(`${proof.acknowledged} messages during faults of every kind: ${report}`, proof.faults)
}

async function seats(nodes: RoomsNodes, note: Note): Promise<void> {
  const { checks, most, dying, freeMs, faults } = await proveSeats(nodes, { joiners: JOINERS, seats: SEATS })
  const late = freeMs > FREE_MAX_MS ? [`seats were free after ${freeMs} ms`] : []
  const report = `at most ${most} in ${checks} looks; ${dying} on the node that died, free after ${freeMs} ms`
  note(`${JOINERS} joiners, ${SEATS} seats: ${report}`, [...faults, ...late])
}

async function kills(nodes: RoomsNodes, note: Note, _seed: number, tell: Tell): Promise<void> {
  const { rooms, rightMs, faults } = await proveKilledRooms(nodes, KILL_ROUNDS, tell)
  const slow = rightMs.filter((ms) => ms > FREE_MAX_MS).map((ms) => `a list was right after ${ms} ms`)
  note(`${KILL_ROUNDS} nodes killed, ${rooms} rooms: lists right within ${Math.max(...rightMs)} ms`, [
    ...faults,
    ...slow,
  ])
}

const ratioOf = ({ p99 }: HostileProof): number => p99.while / p99.before

const shown = (proof: HostileProof) =>
  `others’ p99 ${proof.p99.while.toFixed(1)} ms, ${proof.p99.before.toFixed(1)} before (${ratioOf(proof).toFixed(2)} ×)`

const moved = ({ p99 }: HostileProof): string[] =>
  p99.while <= Math.max(NOISE_MS, p99.before * OTHERS_MAX) ? [] : [`others waited ${JSON.stringify(p99)}`]

async function deaf(nodes: RoomsNodes, note: Note): Promise<void> {
  const proof = await proveDeafReader(nodes, CALM_MS)
  const late = proof.cutMs > DEAF_MAX_MS ? [`it was cut after ${proof.cutMs} ms`] : []
  note(`a reader that stops: cut after ${proof.cutMs} ms, ${shown(proof)}`, [...late, ...moved(proof)])
}

/** Alternates calm and flooded runs and judges by the median ratio, because other load on the machine affects both. */
async function flood(nodes: RoomsNodes, note: Note): Promise<void> {
  const proofs: Awaited<ReturnType<typeof proveFlooder>>[] = []
  for (let n = 0; n < FLOODS; n++) proofs.push(await proveFlooder(nodes, CALM_MS))
  const uncut = proofs.filter(({ refused, cutMs }) => !refused || cutMs > FLOODED_MAX_MS)
  const [middle] = proofs.toSorted((one, other) => ratioOf(one) - ratioOf(other)).slice(FLOODS >> 1)
  const report = proofs.map((proof) => `cut after ${proof.cutMs} ms, ${shown(proof)}`)
  note(`${FLOODS} flooders: ${report.join('; ')}`, [
    ...uncut.map(({ cutMs }) => `it was not refused and cut: ${cutMs} ms`),
    ...(middle === undefined ? [] : moved(middle)),
  ])
}

async function knocks(nodes: RoomsNodes, note: Note): Promise<void> {
  const { answers, grownBytes } = await proveKnocks(nodes, KNOCKS)
  const dead = await proveKnocks(nodes, KNOCKS, true)
  const all = { ...answers, ...dead.answers }
  const letIn = Object.keys(all).some((status) => !status.startsWith('4')) ? [JSON.stringify(all)] : []
  const grown = grownBytes > KNOCKS_MAX_BYTES ? [`${grownBytes} bytes after ${KNOCKS} handshakes`] : []
  const more = `${(grownBytes / 1e6).toFixed(1)} MB more; with dead ones ${(dead.grownBytes / 1e6).toFixed(1)} MB`
  note(`${KNOCKS} handshakes without a ticket: ${more}`, [...letIn, ...grown])
}

async function nonsense(nodes: RoomsNodes, note: Note, seed: number): Promise<void> {
  const { closed } = await proveNonsense(nodes, FRAMES, seed)
  note(`${FRAMES} frames of nonsense: ${closed} connections closed, and no others`, [])
}
