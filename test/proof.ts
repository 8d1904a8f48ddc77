// `npm run proof`, `npm run proof:<area>`: the full figures of what is promised never to be lost, doubled or wrong, and
// one page of what was tried, what was lost, and the seeds. Exits with 1 where anything was.

import { benchRules } from '../bench/rules.ts'
import { build, stopAll } from '../bench/support/processes.ts'
import { broken, lineOf, proveAbuse } from './abuse/prove-abuse.ts'
import { proveBrowser } from './browser/prove-browser.ts'
import { figureLine } from './console/figure.ts'
import { PARTS, proveConsole } from './console/prove-console.ts'
import { proveJobs } from './console/prove-jobs.ts'
import { buildConsole } from './crash/build.ts'
import { proveStates } from './crash/deletion-states.ts'
import { deletionOfGame, deletionOfPlayers } from './crash/deletions.ts'
import { proveDamagedServer } from './crash/prove-damaged-server.ts'
import { proveDeletions } from './crash/prove-deletions.ts'
import { proveFullDataDisk } from './crash/prove-full-data-disk.ts'
import { proveKills } from './crash/prove-kills.ts'
import { proveMany } from './crash/prove-many.ts'
import { provePaths } from './domain/prove-paths.ts'
import { type FairReads, proveFairReads } from './fair-reads/prove-fair-reads.ts'
import { proveFilesCrash } from './files/prove-files-crash.ts'
import { proveFullDisk } from './files/prove-full-disk.ts'
import { proveOddInputs } from './front-door/prove-odd-inputs.ts'
import { proveReads } from './model/prove-reads.ts'
import { proveAllOfNodes } from './nodes/proof.ts'
import { proveStateful } from './openapi/prove-stateful.ts'
import { proveBackups } from './portability/backup/drill.ts'
import { proveBackupLoad } from './portability/backup/prove-load.ts'
import { proveExport } from './portability/export/prove-export.ts'
import { proveRules } from './projections/prove-rules.ts'
import { proveRooms } from './realtime/proof.ts'
import { proveSeasons } from './seasons/prove-seasons.ts'
import { endSharedServers, ON_SERVERS } from './servers/store-urls.ts'
import { proveBrokenWrites } from './simulation/prove-broken-writes.ts'
import { proveSimulation } from './simulation/prove-simulation.ts'
import { IN_MEMORY } from './simulation/run-history.ts'
import { SERVERS } from './simulation/world/on-servers.ts'
import {
  type DamageProof,
  proveDamagedLogs,
  proveDamagedViews,
  proveSealedDamage,
} from './stores/check-after-damage.ts'
import {
  type ElectionsProof,
  proveElections,
  proveSlowDisks,
  proveSockets,
  proveStarts,
} from './stores/prove-cluster.ts'
import type { Comparison } from './timing/compare.ts'
import { proveNotFoundTiming } from './timing/prove-not-found-timing.ts'
import { proveSignInTiming } from './timing/prove-sign-in-timing.ts'

/** Boards between two lines of progress. Those of every other line have indexes of their windows, of any size. */
const BOARDS_A_LINE = 2_000
const INDEXED = { from: -1, maxBytes: 2 ** 30, atOnce: true }
/** On servers a history takes seconds, not milliseconds. */
const HISTORIES = ON_SERVERS ? 100 : 1_000
const KILLS = 200
/** Of each deletion. DELETION_KILLS: another number, for trying it out. */
const DELETION_KILLS = Number(process.env.DELETION_KILLS ?? 50)
const ODD_INPUTS = 20_000
const PATHS = 100_000
/** OPENAPI_REQUESTS: another number, for trying it out. */
const OPENAPI_REQUESTS = Number(process.env.OPENAPI_REQUESTS ?? 200_000)
/** PROOF_HISTORIES: another number of each, for trying it out. */
const few = process.env.PROOF_HISTORIES === undefined ? null : Number(process.env.PROOF_HISTORIES)
const BOARDS = few ?? 100_000
const RULES = { histories: few ?? 1_000, previews: few ?? 500, broken: few ?? 200, onServers: few ?? 20 }
/** Logs of histories, and how often each is applied. */
const BROKEN_WRITES = { logs: few ?? 100, times: 24 }
const REPORT_EVERY_MS = 10_000

interface Proof {
  readonly tried: string
  /** One line for each thing lost, doubled or wrong; the first few are printed. */
  readonly lost: readonly string[]
  readonly lostCount: number
  readonly seeds: string
}

const LINES_SHOWN = 10

/** Tells at most one line of progress in ten seconds. */
function teller(area: string): (line: string) => void {
  let reportedMs = Date.now()
  return (line) => {
    if (Date.now() - reportedMs < REPORT_EVERY_MS) return
    reportedMs = Date.now()
    process.stderr.write(`${area}: ${line}\n`)
  }
}

async function reads(seed: number): Promise<Proof> {
  const tell = teller('reads')
  const lost: string[] = []
  let [tried, differences] = [0, 0]
  for (let line = 0; tried < BOARDS; line++) {
    const boards = Math.min(BOARDS_A_LINE, BOARDS - tried)
    const found = await proveReads({ boards, seed: seed + tried, windows: line % 2 === 0 ? undefined : INDEXED })
    differences += found.differences
    if (found.report !== null) lost.push(found.report)
    tried += boards
    tell(`${tried} of ${BOARDS} boards, ${differences} differences`)
  }
  return { tried: `${tried} random boards against the model`, lost, lostCount: differences, seeds: `${seed}` }
}

async function simulation(firstSeed: number): Promise<Proof> {
  const tell = teller('simulation')
  const onProgress = (played: number, failed: number, last: string) =>
    tell(`${played} of ${HISTORIES} histories, ${failed} failed ${last}`.trimEnd())
  const { steps, failed } = await proveSimulation({
    histories: HISTORIES,
    firstSeed,
    onProgress,
    course: ON_SERVERS ? SERVERS : IN_MEMORY,
  })
  const tried = `${HISTORIES} simulated histories with faults and crashes, ${steps} steps; live against rebuilt`
  return { tried, lost: failed, lostCount: failed.length, seeds: `${firstSeed} to ${firstSeed + HISTORIES - 1}` }
}

async function brokenWrites(firstSeed: number): Promise<Proof> {
  const { logs, times } = BROKEN_WRITES
  const tell = teller('broken-writes')
  const onProgress = (logsDone: number, failed: number, last: string) =>
    tell(`${logsDone} of ${logs} logs, ${failed} failed ${last}`.trimEnd())
  const { events, breaks, failed } = await proveBrokenWrites({ ...BROKEN_WRITES, firstSeed, onProgress })
  const tried = `${logs} logs of ${events} events, applied ${times} times each, ${breaks} writes of views broken off`
  return { tried, lost: failed, lostCount: failed.length, seeds: `${firstSeed} to ${firstSeed + logs - 1}` }
}

async function kills(seed: number): Promise<Proof> {
  const tell = teller('kills')
  const onProgress = (kill: number, acknowledged: number) =>
    tell(`${kill} of ${KILLS} kills, ${acknowledged} acknowledged`)
  const { acknowledged, retried, hadBeenRecorded, faults } = await proveKills({ kills: KILLS, seed, onProgress })
  const sentAgain = `${retried} unanswered submissions sent again (${hadBeenRecorded} had been recorded)`
  const tried = `${KILLS} kill -9 under load, ${acknowledged} submissions acknowledged, ${sentAgain}`
  return { tried, lost: faults, lostCount: faults.length, seeds: `${seed}` }
}

/** Parts: kills, cuts, import. MANY_KILLS, MANY_CALLS, IMPORT_ROWS: other numbers, for trying it out. */
async function many(seed: number, parts: readonly string[]): Promise<Proof> {
  const sizes = {
    kills: Number(process.env.MANY_KILLS ?? 500),
    calls: Number(process.env.MANY_CALLS ?? 10_000),
    importRows: Number(process.env.IMPORT_ROWS ?? 1_000_000),
  }
  const { tried, lost } = await proveMany(seed, sizes, teller('many'), parts)
  return { tried: tried.join('\n           '), lost, lostCount: lost.length, seeds: `${seed}` }
}

/** DERIVED_ROUNDS: in-process damages; DERIVED_SERVERS: damages of a whole server. */
async function derived(firstSeed: number): Promise<Proof> {
  const tell = teller('derived')
  const rounds = Number(process.env.DERIVED_ROUNDS ?? 10_000)
  const shares = [
    [proveDamagedLogs, 'index and heads', 0.5],
    [proveSealedDamage, 'index, unseen by its checksums', 0.1],
    [proveDamagedViews, 'views', 0.4],
  ] as const
  const tried: string[] = []
  const lost: string[] = []
  for (const [prove, what, share] of shares) {
    const all: DamageProof = { rounds: 0, repaired: 0, faults: [] }
    const sum = await inParts(prove, Math.round(share * rounds), firstSeed, all, (done) => tell(`${what}: ${done}`))
    tried.push(`${sum.rounds} damages of ${what}, ${sum.repaired} found and repaired`)
    lost.push(...sum.faults)
  }
  const damages = Number(process.env.DERIVED_SERVERS ?? 300)
  const onProgress = (damage: number, named: number, faults: number) =>
    tell(`servers: ${damage} of ${damages} damages, ${named} named, ${faults} faults`)
  const servers = await proveDamagedServer({ damages, seed: firstSeed, onProgress })
  tried.push(`${damages} damages of a server, ${servers.named} named, ${servers.acknowledged} submissions acknowledged`)
  lost.push(...servers.faults)
  return { tried: tried.join('\n           '), lost, lostCount: lost.length, seeds: `${firstSeed} and the next ones` }
}

/** Damages of one seed: their files are made once. */
const DAMAGES_A_SEED = 200

async function inParts(
  prove: (rounds: number, seed: number) => Promise<DamageProof>,
  rounds: number,
  firstSeed: number,
  sum: DamageProof,
  onProgress: (done: number) => void,
): Promise<DamageProof> {
  let all = sum
  for (let seed = firstSeed; all.rounds < rounds; seed += 1) {
    const part = await prove(Math.min(DAMAGES_A_SEED, rounds - all.rounds), seed)
    all = {
      rounds: all.rounds + part.rounds,
      repaired: all.repaired + part.repaired,
      faults: [...all.faults, ...part.faults],
    }
    onProgress(all.rounds)
  }
  return all
}

async function oddInputs(seed: number): Promise<Proof> {
  const tell = teller('odd-inputs')
  const onProgress = (tried: number, wrong: number, last: string) =>
    tell(`${tried} of ${ODD_INPUTS} odd inputs, ${wrong} wrong ${last}`.trimEnd())
  const { tried, entries, players, faults } = await proveOddInputs({ inputs: ODD_INPUTS, seed, onProgress })
  const made = `${entries} entries and ${players} players made; live against rebuilt`
  return { tried: `${tried} odd inputs read back, ${made}`, lost: faults, lostCount: faults.length, seeds: `${seed}` }
}

async function openapi(seed: number): Promise<Proof> {
  const tell = teller('openapi')
  const onProgress = (tried: number, wrong: number) => tell(`${tried} of ${OPENAPI_REQUESTS} requests, ${wrong} wrong`)
  const { tried, findings, coverage, statuses } = await proveStateful({ requests: OPENAPI_REQUESTS, seed, onProgress })
  const succeeded = [...coverage.values()].filter((one) => one.succeeded > 0).length
  const byStatus = [...statuses].sort(([one], [other]) => one - other).map(([status, times]) => `${status}: ${times}`)
  const figures = [
    `${tried} requests drawn from the OpenAPI document, good and bad, in sequence`,
    `${succeeded} of ${coverage.size} operations succeeded at least once`,
    `answers by status: ${byStatus.join(', ')}`,
  ]
  const lines = figures.join('\n           ')
  return { tried: lines, lost: findings.reports(), lostCount: findings.count(), seeds: `${seed}` }
}

async function deletions(seed: number): Promise<Proof> {
  const proof = { kills: DELETION_KILLS, seed, onProgress: teller('deletions') }
  const { kills, deletions: all, interrupted, faults } = await proveDeletions(proof)
  const states = ON_SERVERS ? [] : [await proveStates(deletionOfGame), await proveStates(deletionOfPlayers)]
  const lost = [...faults, ...states.flatMap((one) => one.faults)]
  const started = states.reduce((sum, one) => sum + one.started, 0)
  const tried = `${kills} kills during ${all} deletions of games and players, ${interrupted} of them incomplete; ${started} starts on every state of the files`
  return { tried, lost, lostCount: lost.length, seeds: `${seed}` }
}

/** Needs the test servers: redis-server, and Go for FerretDB. */
async function nodes(seed: number): Promise<Proof> {
  const { tried, lost } = await proveAllOfNodes(seed, teller('nodes'))
  return { tried: tried.join('\n           '), lost, lostCount: lost.length, seeds: `${seed}` }
}

async function paths(seed: number): Promise<Proof> {
  const { tried, report } = provePaths({ paths: PATHS, seed })
  const lost = report === null ? [] : [report]
  return { tried: `${tried} paths against a reference`, lost, lostCount: lost.length, seeds: `${seed}` }
}

/**
 * Parts: boundaries (needs Python; the first time, one package is downloaded), histories, simulation, kills, on-servers
 * (needs the test servers). SEASON_HISTORIES, SEASON_SIMULATED, SEASON_KILLS, SEASON_KILLS_ON_SERVERS: other numbers, for
 * trying it out.
 */
async function seasons(seed: number, parts: readonly string[]): Promise<Proof> {
  const sizes = {
    histories: Number(process.env.SEASON_HISTORIES ?? 10_000),
    simulated: Number(process.env.SEASON_SIMULATED ?? 1_000),
    kills: Number(process.env.SEASON_KILLS ?? 200),
    onServers: Number(process.env.SEASON_KILLS_ON_SERVERS ?? 200),
  }
  const { tried, lost } = await proveSeasons(seed, sizes, teller('seasons'), parts)
  return { tried: tried.join('\n           '), lost, lostCount: lost.length, seeds: `${seed}` }
}

/**
 * Needs strace, and root for a small disk that fills up. FILES_CRASH_EVERY: 1 for every system call there is;
 * FILES_CRASH_DISKS=0: without the disk.
 */
async function filesCrash(): Promise<Proof> {
  const every = Number(process.env.FILES_CRASH_EVERY ?? 1)
  const { kills, failedSyncs, files, swept, faults } = await proveFilesCrash({
    every,
    onProgress: teller('files-crash'),
  })
  const fullAt = process.env.FILES_CRASH_DISKS === '0' ? [] : [0, 300_000, 2_000_000, 4_000_000]
  const { filled, faults: full } = fullAt.length === 0 ? { filled: 0, faults: [] } : await proveFullDisk(fullAt)
  const killed = `${kills.files} kills before calls of the files' thread, ${kills.log} of the log's`
  const tried = `${killed}; ${failedSyncs} syncs that failed; ${filled} full disks; ${files} files, ${swept} swept`
  return { tried, lost: [...faults, ...full], lostCount: faults.length + full.length, seeds: 'none' }
}

/** Needs root, to mount small disks. */
async function fullDisks(): Promise<Proof> {
  const tried: string[] = []
  const lost: string[] = []
  for (const isRoomMade of [false, true]) {
    for (const freeBytes of [0, 300_000]) {
      const proof = await proveFullDataDisk({ freeBytes, isRoomMade })
      const { acknowledged, refused, slowestMs, ended, faults } = proof
      const of = `${freeBytes} bytes left, ${isRoomMade ? 'room made before' : 'stopped while full'}`
      const slowest = `slowest ${Math.round(slowestMs)} ms`
      tried.push(`${of}: ${acknowledged} acknowledged, ${refused} refused with 503, ${slowest}, ended by ${ended}`)
      lost.push(...faults.map((fault) => `${of}: ${fault}`))
    }
  }
  const files = await proveFullDisk([0, 300_000])
  tried.push(`${files.filled} disks of files filled during uploads`)
  lost.push(...files.faults)
  return { tried: tried.join('\n           '), lost, lostCount: lost.length, seeds: 'none' }
}

/** Needs the test servers. */
async function rooms(seed: number, parts: readonly string[]): Promise<Proof> {
  const { tried, lost } = await proveRooms(seed, (line) => process.stderr.write(`rooms: ${line}\n`), parts)
  return { tried: tried.join('\n           '), lost, lostCount: lost.length, seeds: `${seed}` }
}

/** Needs Chromium, from Debian's package of that name. */
async function browser(seed: number): Promise<Proof> {
  const { tried, faults } = await proveBrowser(teller('browser'))
  return { tried, lost: faults, lostCount: faults.length, seeds: `${seed}, not used` }
}

async function rules(seed: number): Promise<Proof> {
  const failure = await proveRules({ ...RULES, seed, onProgress: teller('rules') }).then(
    () => [],
    (error: Error) => [error.message],
  )
  const { histories, previews, broken } = RULES
  const tried = `${histories} random histories of a board whose rules change, ${previews} previews of it, ${broken} with broken writes`
  return { tried, lost: failure, lostCount: failure.length, seeds: `${seed} to ${seed + histories - 1}` }
}

/** PROOF_ENTRIES: how many submissions there are on the board; its figures mean something on a quiet machine alone. */
async function rulesAtSize(): Promise<Proof> {
  const entries = Number(process.env.PROOF_ENTRIES ?? 1_000_000)
  await build()
  const rows = await benchRules({ entries, onProgress: teller('rules-at-size') }).finally(stopAll)
  const lines = rows.map(({ what, limit, ours, ratio, goal }) => `${what}: ${ours} (${limit}; ${ratio}; goal ${goal})`)
  const lost = lines.filter((_, row) => rows[row]?.met === false)
  return { tried: lines.join('\n           '), lost, lostCount: lost.length, seeds: 'none' }
}

/** Needs the test servers. Among what is tried in them are changes of rules. */
async function rulesOnServers(firstSeed: number): Promise<Proof> {
  const tell = teller('rules-on-servers')
  const onProgress = (played: number, failed: number, last: string) =>
    tell(`${played} of ${RULES.onServers} histories, ${failed} failed ${last}`.trimEnd())
  const { steps, failed } = await proveSimulation({
    histories: RULES.onServers,
    firstSeed,
    onProgress,
    course: SERVERS,
  })
  const tried = `${RULES.onServers} simulated histories on the three servers, rules changing, ${steps} steps`
  return { tried, lost: failed, lostCount: failed.length, seeds: `${firstSeed} to ${firstSeed + RULES.onServers - 1}` }
}

/**
 * BACKUP_KILLS; BACKUP_EVENTS: size of the log that is backed up under 200 submissions a second (0: not at all), which
 * means something on a quiet machine alone.
 */
async function backup(seed: number): Promise<Proof> {
  const tell = teller('backup')
  const kills = Number(process.env.BACKUP_KILLS ?? 60)
  const { ended, acknowledged, promised, faults } = await proveBackups({ kills, seed })
  const drill = `${kills} backups to be killed, ${ended} ended; ${acknowledged} submissions acknowledged, ${promised} of them before the restored backup`
  const events = Number(process.env.BACKUP_EVENTS ?? 1_000_000)
  if (events === 0) return { tried: drill, lost: faults, lostCount: faults.length, seeds: `${seed}` }
  await build()
  const load = await proveBackupLoad(Math.ceil(events / 2), tell)
  const { rounds, quietP99, duringP99, ratio, submissions, seconds } = load
  const times = Object.entries(seconds).map(([what, took]) => `${what} ${took.toFixed(1)} s`)
  const p99 = `submit p99 ${quietP99.toFixed(1)} ms before, ${duringP99.toFixed(1)} ms during, ${ratio.toFixed(2)} × (median of ${rounds} rounds)`
  const figures = `${load.events} events: ${times.join(', ')}; ${p99} over ${submissions} submissions`
  const lost = [...faults, ...load.faults, ...(ratio > 1.5 ? [`submit p99 rose ${ratio.toFixed(2)} times`] : [])]
  return { tried: `${drill}\n           ${figures}`, lost, lostCount: lost.length, seeds: `${seed}` }
}

/** Whole size: EXPORT_EVENTS=1000000, some 20 minutes and 4 GB of disk. */
async function takenAlong(seed: number): Promise<Proof> {
  const events = Number(process.env.EXPORT_EVENTS ?? 1_000_000)
  const { tried, faults } = await proveExport({ events, reads: 5_000, seed, report: teller('export') })
  return { tried: tried.join('\n           '), lost: faults, lostCount: faults.length, seeds: `${seed}` }
}

/**
 * ABUSE_SECONDS of each attack; ABUSE_ONLY: a part of the attacks' names; ABUSE_RATIO=off: without the bystander's
 * delay, which means something on a quiet machine alone, and which is then hardly measured before an attack.
 */
async function abuse(): Promise<Proof> {
  const forMs = Number(process.env.ABUSE_SECONDS ?? 30) * 1_000
  const size = { entries: Number(process.env.ABUSE_ENTRIES ?? 30_000), guests: 500 }
  const only = process.env.ABUSE_ONLY === undefined ? {} : { only: process.env.ABUSE_ONLY }
  const ratio = process.env.ABUSE_RATIO === 'off' ? null : 3
  const quietMs = ratio === null ? 100 : Math.min(forMs, 15_000)
  await build()
  const onProgress = (line: string) => process.stderr.write(`abuse: ${line}\n`)
  const suffered = await proveAbuse({ forMs, quietMs, size, ...only, onProgress })
  const lost = broken(suffered, ratio)
  return { tried: suffered.map(lineOf).join('\n           '), lost, lostCount: lost.length, seeds: 'none' }
}

/**
 * Parts: jobs, board, live, history. CONSOLE_ENTRIES, CONSOLE_SECONDS of submissions: other numbers, for trying it out.
 * Means something on a quiet machine alone; the numbers of clicks and keys do on any.
 */
async function consolePages(_seed: number, chosen: readonly string[]): Promise<Proof> {
  const entries = Number(process.env.CONSOLE_ENTRIES ?? 1_000_000)
  const [liveMs, historyMs] = [300, 600].map((usual) => Number(process.env.CONSOLE_SECONDS ?? usual) * 1_000) as [
    number,
    number,
  ]
  const isChosen = (part: string) => chosen.length === 0 || chosen.includes(part)
  await build()
  buildConsole()
  const report = (line: string) => process.stderr.write(`console: ${line}\n`)
  const jobs = isChosen('jobs') ? await proveJobs(report) : []
  const parts = PARTS.filter(isChosen)
  const measured = parts.length > 0 ? await proveConsole({ parts, entries, liveMs, historyMs, report }) : []
  const figures = [...jobs, ...measured]
  const lost = figures.filter(({ value, max }) => value > max).map(figureLine)
  const tried = [`the console; the large leaderboard has ${entries} entries`, ...figures.map(figureLine)].join(
    '\n           ',
  )
  return { tried, lost, lostCount: lost.length, seeds: 'none' }
}

/**
 * FAIR_READS_SECONDS of filtered reads, FAIR_READS_MINUTES of writes beside reads. Means something on a quiet machine
 * alone.
 */
async function fairReads(): Promise<Proof> {
  const filteredMs = Number(process.env.FAIR_READS_SECONDS ?? 30) * 1_000
  const mixedMs = Number(process.env.FAIR_READS_MINUTES ?? 10) * 60_000
  const [filteredEntries, mixedEntries] = [30_000, Number(process.env.FAIR_READS_ENTRIES ?? 100_000)]
  await build()
  const onProgress = (line: string) => process.stderr.write(`fair-reads: ${line}\n`)
  const found = await proveFairReads({ filteredEntries, filteredMs, mixedEntries, mixedMs, report: onProgress })
  const lost = unfair(found)
  const { quietP95, duringP95, filtered, mixed, mixedReadsP95 } = found
  const first = `top 20 p95 ${quietP95} → ${duringP95} ms beside 8 filtered reads of one guest (${JSON.stringify(filtered)})`
  const second = `20 % writes, 80 % reads: ${JSON.stringify(mixed)}, reads p95 ${mixedReadsP95} ms`
  return { tried: `${first}\n           ${second}`, lost, lostCount: lost.length, seeds: 'none' }
}

function unfair({ quietP95, duringP95, refusals }: FairReads): string[] {
  const slow = duringP95 > 3 * quietP95 ? [`top 20 p95 ${quietP95} → ${duringP95} ms`] : []
  return [...slow, ...refusals]
}

/** TIMING_SAMPLES of each kind of call. Means something on a quiet machine alone. */
async function timing(): Promise<Proof> {
  const samples = Number(process.env.TIMING_SAMPLES ?? 2_000)
  const found = [...(await proveSignInTiming(samples)), ...(await proveNotFoundTiming(samples))]
  const line = ({ what, ratio, ms: [one, other] }: Comparison) =>
    `${what}: ${one.toFixed(3)} / ${other.toFixed(3)} ms = ${ratio.toFixed(3)}`
  const lost = found.filter(({ isEqual }) => !isEqual).map(line)
  const tried = found.map((one) => `${line(one)}, ${samples} each`).join('\n           ')
  return { tried, lost, lostCount: lost.length, seeds: 'none' }
}

const CLUSTER = { kills: few ?? 20, freezes: few ?? 20, slowDisks: few ?? 20, starts: few ?? 20, cuts: 50, writers: 32 }
/** After an election, the median of the times until a submission is acknowledged. */
const GOES_ON_MS = 1_000
/** More connections than before the cuts. */
const MORE_SOCKETS = 2

/** On a simulated cluster of EventStoreDB. */
async function cluster(seed: number): Promise<Proof> {
  const tell = teller('cluster')
  const { kills, freezes, slowDisks, starts, cuts, writers } = CLUSTER
  const progress = (of: number, what: string) => (time: number) => tell(`${time} of ${of} ${what}`)
  const taken = { writers, seed }
  const onKill = progress(kills, 'leaders killed')
  const killed = await proveElections({ ...taken, fault: 'kill', times: kills, onProgress: onKill })
  const onFreeze = progress(freezes, 'leaders frozen')
  const frozen = await proveElections({ ...taken, fault: 'freeze', times: freezes, onProgress: onFreeze })
  const onSlow = progress(slowDisks, 'slow disks')
  const slow = await proveSlowDisks({ ...taken, times: slowDisks, onProgress: onSlow })
  const started = await proveStarts(starts)
  const sockets = await proveSockets({ cuts, writers, seed })
  const figures = [
    ...electionFigures(`${kills} leaders killed`, writers, killed),
    ...electionFigures(`${freezes} leaders frozen`, writers, frozen),
    `${slowDisks} slow disks under ${writers} writers, ${slow.submissions} submissions, ${slow.reconnects} changes of connection`,
    `the longest submission took ${slow.longestMs.toFixed(0)} ms; ${slow.unavailable} times 503, then sent again with its key`,
    `${started.tookMs.length} of ${starts} starts with one node of three frozen, in ${range(started.tookMs)} ms`,
    `${sockets.before} connections, ${sockets.after} after ${cuts} cuts of all, ${sockets.closed} after the log was closed`,
  ]
  const lost = [...killed.faults, ...frozen.faults, ...slow.faults, ...started.faults, ...sockets.faults]
  for (const goesOnMs of [killed, frozen].map(({ wentOnMs }) => median(wentOnMs))) {
    if (goesOnMs > GOES_ON_MS) lost.push(`writes went on ${goesOnMs.toFixed(0)} ms after the election, in the median`)
  }
  if (slow.reconnects > 0) lost.push(`${slow.reconnects} changes of connection while disks were slow`)
  if (sockets.after > sockets.before + MORE_SOCKETS) lost.push(`${sockets.after} connections after the cuts`)
  if (sockets.closed > 0) lost.push(`${sockets.closed} connections after the log was closed`)
  return { tried: figures.join('\n           '), lost, lostCount: lost.length, seeds: `${seed}` }
}

const electionFigures = (
  what: string,
  writers: number,
  { submissions, electionsMs, wentOnMs, longestMs, unavailable }: ElectionsProof,
): string[] => [
  `${what} under ${writers} writers, ${submissions} submissions`,
  `elections took ${range(electionsMs)} ms; writes went on ${range(wentOnMs)} ms after them, median ${median(wentOnMs).toFixed(0)}`,
  `the longest submission took ${longestMs.toFixed(0)} ms; ${unavailable} times 503, then sent again with its key`,
]

const range = (all: readonly number[]): string => `${Math.min(...all).toFixed(0)}–${Math.max(...all).toFixed(0)}`
const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

/** `parts`: what was named after `--`, for an area that has parts. */
const AREAS: Readonly<Record<string, (seed: number, parts: readonly string[]) => Promise<Proof>>> = {
  reads,
  simulation,
  'broken-writes': brokenWrites,
  derived,
  kills,
  many,
  deletions,
  'odd-inputs': oddInputs,
  openapi,
  nodes,
  rooms,
  paths,
  seasons,
  rules,
  'rules-at-size': rulesAtSize,
  'rules-on-servers': rulesOnServers,
  'files-crash': filesCrash,
  'full-disks': fullDisks,
  browser,
  export: takenAlong,
  backup,
  cluster,
  console: consolePages,
  abuse,
  'fair-reads': fairReads,
  timing,
}

async function main(words: readonly string[]): Promise<number> {
  const split = words.includes('--') ? words.indexOf('--') : words.length
  const [wanted, parts] = [words.slice(0, split), words.slice(split + 1)]
  const unknown = wanted.filter((area) => AREAS[area] === undefined)
  if (unknown.length > 0) {
    process.stderr.write(`There is no proof of ${unknown.join(', ')}: choose from ${Object.keys(AREAS).join(', ')}.\n`)
    return 2
  }
  const seed = Number(process.env.PROOF_SEED ?? Date.now() % 1_000_000_000)
  const page: string[] = ['', `Proof of ${new Date().toISOString()}, PROOF_SEED=${seed}`, '']
  let total = 0
  for (const area of wanted.length > 0 ? wanted : Object.keys(AREAS)) {
    const began = performance.now()
    process.stderr.write(`${area}: begins\n`)
    const { tried, lost, lostCount, seeds } = await (AREAS[area] as (typeof AREAS)[string])(seed, parts)
    const seconds = ((performance.now() - began) / 1_000).toFixed(0)
    total += lostCount
    page.push(area, `  tried    ${tried}`, `  lost     ${lostCount}`, `  seeds    ${seeds}`, `  seconds  ${seconds}`)
    page.push(...lost.slice(0, LINES_SHOWN).map((line) => `  - ${line}`), '')
  }
  page.push(total === 0 ? 'Nothing was lost, doubled or wrong.' : `${total} were lost, doubled or wrong.`)
  process.stdout.write(`${page.join('\n')}\n`)
  return total === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
await endSharedServers()
// Connections to servers that were killed under them may live on.
process.exit()
