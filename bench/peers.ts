// `npm run bench:peers -- <peer>=<url>[,<pid>…] … [--players N] [--rounds N]`: sends the same load to running servers,
// and prints what each answers. The adapters are in peers/. Name the processes of a server by their ids, on this
// machine, for the processor time of them and their children.
//
//     npm run bench:peers -- scorebook=http://127.0.0.1:3000,4711 nakama=http://127.0.0.1:7350,4712,4713 --players
//     100000

import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { nakama } from './peers/nakama.ts'
import type { Peer, PeerCalls } from './peers/peer.ts'
import { scorebook } from './peers/scorebook.ts'
import { numbers } from './support/events.ts'
import { cpuSecondsOf, median, percentile } from './support/measure.ts'
import { type Loader, startLoader, stopAll } from './support/processes.ts'

const PEERS: Readonly<Record<string, Peer>> = { scorebook, nakama }
const CONNECTIONS = 32
const REQUESTS = 5_000
const SCORES = 10_000_000
/** Of 100 mixed requests; half of the others read around a player, half the top. */
const WRITES_OF_100 = 20
const SEED = 5

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

type Draw = (calls: PeerCalls) => string

async function main(): Promise<void> {
  const options = { players: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '7' } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const players = Number(values.players)
  const loader = startLoader()
  try {
    const sides: Side[] = []
    for (const named of positionals.map(peerOf)) sides.push(await filled(named, loader, players))
    if (sides.length === 0)
      throw new Error(`Name a running server, such as scorebook=http://127.0.0.1:3000. ${known()}`)
    console.log(
      `${players.toLocaleString('en')} players, ${CONNECTIONS} connections, medians of ${values.rounds} rounds`,
    )
    for (const [what, draw] of Object.entries(rows(players)))
      await compare(what, draw, sides, loader, Number(values.rounds))
  } finally {
    await stopAll()
  }
}

const known = (): string => `There are adapters for ${Object.keys(PEERS).join(' and ')}.`

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

function rows(players: number): Readonly<Record<string, Draw>> {
  const random = numbers(SEED + 1)
  const submit: Draw = (calls) => calls.submit(random(players), random(SCORES))
  const around: Draw = (calls) => calls.around(random(players))
  const top: Draw = (calls) => calls.top(random(players))
  const read: Draw = (calls) => (random(2) === 0 ? around : top)(calls)
  return { submit, around, top, mixed: (calls) => (random(100) < WRITES_OF_100 ? submit : read)(calls) }
}

/** Alternating rounds after a warm-up round; the ratio is to the first server. */
async function compare(
  what: string,
  draw: Draw,
  sides: readonly Side[],
  loader: Loader,
  rounds: number,
): Promise<void> {
  const figures = sides.map((): Figures[] => [])
  for (let round = -1; round < rounds; round++) {
    for (const [n, side] of sides.entries()) {
      const measured = await measure(side, draw, loader)
      if (round >= 0) figures[n]?.push(measured)
    }
  }
  const of = (n: number, figure: keyof Figures) => median((figures[n] ?? []).map((one) => one[figure]))
  for (const [n, { name, pids }] of sides.entries()) {
    const cpu = pids.length === 0 ? '' : `, ${of(n, 'cpuMs').toFixed(3)} CPU ms each`
    const ratio = (of(n, 'perSecond') / of(0, 'perSecond')).toFixed(2)
    const rate = Math.round(of(n, 'perSecond')).toLocaleString('en')
    console.log(`${what.padEnd(8)}${name.padEnd(12)}${rate} /s (${ratio}), p99 ${of(n, 'p99Ms').toFixed(1)} ms${cpu}`)
  }
}

async function measure(side: Side, draw: Draw, loader: Loader): Promise<Figures> {
  const requests = Array.from({ length: REQUESTS }, () => draw(side.calls))
  const before = cpuOf(side.pids)
  const { ms, latenciesMs } = await loader.load({ ...addressOf(side), connections: CONNECTIONS, requests })
  const cpuMs = ((cpuOf(side.pids) - before) * 1_000) / requests.length
  return { perSecond: (requests.length * 1_000) / ms, p99Ms: percentile(latenciesMs, 0.99), cpuMs }
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
