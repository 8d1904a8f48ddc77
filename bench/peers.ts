// `npm run bench:peers -- <peer>=<url>[,<pid>…] … [--players N] [--rounds N] [--bulk]`: sends the same load to running
// servers, and prints what each answers; with --bulk only the scores that a game's own server submits for many players,
// in lists of 50 players on two leaderboards. The adapters are in peers/. Name the processes of a server by their ids,
// on this machine, for the processor time of them and their children.
//
//     npm run bench:peers -- scorebook=http://127.0.0.1:3000,4711 nakama=http://127.0.0.1:7350,4712,4713 --players
//     100000

import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { nakama } from './peers/nakama.ts'
import type { Peer, PeerCalls } from './peers/peer.ts'
import { pocketbase } from './peers/pocketbase.ts'
import { scorebook } from './peers/scorebook.ts'
import { numbers } from './support/events.ts'
import { cpuSecondsOf, median, percentile } from './support/measure.ts'
import { type Loader, startLoader, stopAll } from './support/processes.ts'

const PEERS: Readonly<Record<string, Peer>> = { scorebook, nakama, pocketbase }
const CONNECTIONS = 32
const REQUESTS = 5_000
const SCORES = 10_000_000
/** Of 100 mixed requests; half of the others read around a player, half the top. */
const WRITES_OF_100 = 20
const SEED = 5
const PLAYERS_OF_LIST = 50
const LISTS = 100

interface Named {
  readonly name: string
  readonly origin: string
  readonly pids: readonly number[]
}

interface Side extends Named {
  readonly calls: PeerCalls
}

/** One round of one row. */
interface Figures {
  readonly perSecond: number
  readonly p99Ms: number
  readonly cpuMs: number
}

/** Draws the requests of one unit of the load. */
interface Row {
  readonly draw: (calls: PeerCalls) => readonly string[]
  readonly units: number
  /** What is counted in a unit: requests or scores. */
  readonly counted: number
  readonly connections: (calls: PeerCalls) => number
  /** False where a request is one score for one product and many for another: their latencies cannot be compared. */
  readonly showsP99: boolean
}

async function main(): Promise<void> {
  const options = {
    players: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '7' },
    bulk: { type: 'boolean', default: false },
  } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const players = Number(values.players)
  const loader = startLoader()
  try {
    const sides: Side[] = []
    for (const named of positionals.map(peerOf)) sides.push(await filled(named, loader, players))
    if (sides.length === 0)
      throw new Error(`Name a running server, such as scorebook=http://127.0.0.1:3000. ${known()}`)
    const load = values.bulk ? `lists of ${2 * PLAYERS_OF_LIST} scores` : `${CONNECTIONS} connections`
    console.log(`${players.toLocaleString('en')} players, ${load}, medians of ${values.rounds} rounds`)
    const compared = values.bulk ? { bulk: manySubmissionsRow(players) } : rows(players)
    for (const [what, row] of Object.entries(compared)) await compare(what, row, sides, loader, Number(values.rounds))
  } finally {
    await stopAll()
  }
}

const known = (): string => `There are adapters for ${Object.keys(PEERS).join(', ')}.`

function peerOf(argument: string): Named {
  const [name = '', rest = ''] = argument.split(/=(.*)/s)
  const [url = '', ...pids] = rest.split(',')
  if (!(name in PEERS)) throw new Error(`There is no adapter for ${name}. ${known()}`)
  if (!URL.canParse(url)) throw new Error(`${argument}: ${url} is not a URL.`)
  return { name, origin: new URL(url).origin, pids: pids.map(Number) }
}

/** Each player signs in and submits a first score. */
async function filled(named: Named, loader: Loader, players: number): Promise<Side> {
  process.stderr.write(`${named.name}: ${players.toLocaleString('en')} players sign in\n`)
  const calls = await (PEERS[named.name] as Peer)(named.origin, players)
  const random = numbers(SEED)
  const requests = Array.from({ length: players }, (_, player) => calls.submit(player, random(SCORES)))
  await loader.load({ ...addressOf(named), connections: CONNECTIONS, requests })
  return { ...named, calls }
}

function rows(players: number): Readonly<Record<string, Row>> {
  const random = numbers(SEED + 1)
  type Draw = Row['draw']
  const submit: Draw = (calls) => [calls.submit(random(players), random(SCORES))]
  const around: Draw = (calls) => calls.around(random(players))
  const top: Draw = (calls) => [calls.top(random(players))]
  const read: Draw = (calls) => (random(2) === 0 ? around : top)(calls)
  const mixed: Draw = (calls) => (random(100) < WRITES_OF_100 ? submit : read)(calls)
  const row = (draw: Draw): Row => ({
    draw,
    units: REQUESTS,
    counted: 1,
    connections: () => CONNECTIONS,
    showsP99: true,
  })
  return { submit: row(submit), around: row(around), top: row(top), mixed: row(mixed) }
}

function manySubmissionsRow(players: number): Row {
  const random = numbers(SEED + 1)
  if (players < PLAYERS_OF_LIST) throw new Error(`--bulk needs at least ${PLAYERS_OF_LIST} players.`)
  const list = () => {
    const first = random(players)
    return Array.from({ length: PLAYERS_OF_LIST }, (_, n) => (first + n) % players).flatMap((player) =>
      ([0, 1] as const).map((board) => ({ player, board, score: random(SCORES) })),
    )
  }
  return {
    draw: ({ many }) => many.requests(list()),
    units: LISTS,
    counted: 2 * PLAYERS_OF_LIST,
    connections: ({ many }) => many.connections,
    showsP99: false,
  }
}

/** Alternating rounds after a warm-up round; the ratio is to the first server. */
async function compare(what: string, row: Row, sides: readonly Side[], loader: Loader, rounds: number): Promise<void> {
  const figures = sides.map((): Figures[] => [])
  for (let round = -1; round < rounds; round++) {
    for (const [n, side] of sides.entries()) {
      const measured = await measure(side, row, loader)
      if (round >= 0) figures[n]?.push(measured)
    }
  }
  const of = (n: number, figure: keyof Figures) => median((figures[n] ?? []).map((one) => one[figure]))
  for (const [n, { name, pids }] of sides.entries()) {
    const cpu = pids.length === 0 ? '' : `, ${of(n, 'cpuMs').toFixed(3)} CPU ms each`
    const ratio = (of(n, 'perSecond') / of(0, 'perSecond')).toFixed(2)
    const rate = Math.round(of(n, 'perSecond')).toLocaleString('en')
    const p99 = row.showsP99 ? `, p99 ${of(n, 'p99Ms').toFixed(1)} ms` : ''
    console.log(`${what.padEnd(8)}${name.padEnd(12)}${rate} /s (${ratio})${p99}${cpu}`)
  }
}

async function measure(side: Side, { draw, units, counted, connections }: Row, loader: Loader): Promise<Figures> {
  const requests = Array.from({ length: units }, () => draw(side.calls)).flat()
  const before = cpuOf(side.pids)
  const load = { ...addressOf(side), connections: connections(side.calls), requests }
  const { ms, latenciesMs } = await loader.load(load)
  const cpuMs = ((cpuOf(side.pids) - before) * 1_000) / (units * counted)
  return { perSecond: (units * counted * 1_000) / ms, p99Ms: percentile(latenciesMs, 0.99), cpuMs }
}

function addressOf({ origin }: Named): { host: string; port: number } {
  const { hostname, port } = new URL(origin)
  return { host: hostname, port: Number(port || 80) }
}

/** Processor seconds of processes and all below them. */
function cpuOf(pids: readonly number[]): number {
  const parents = new Map(processIds().map((pid) => [pid, parentOf(pid)]))
  const belongs = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 0 && (pids.includes(pid) || belongs(parents.get(pid)))
  return [...parents.keys()].filter(belongs).reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)
}

const processIds = (): number[] => readdirSync('/proc').map(Number).filter(Number.isInteger)

/** 0 if the process has ended meanwhile. */
function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

await main().catch((failure: Error) => {
  console.error(failure.message)
  process.exitCode = 1
})
