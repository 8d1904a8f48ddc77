// `npm run bench [-- name …] [--quick] [--stores]`: measures the promised figures, each against a limit of the same
// run, and prints one table; with --stores those of EventStoreDB, MongoDB and Redis. Failed measurements are printed as
// lines; the exit code is always 0.

import { arch, cpus, platform, release } from 'node:os'
import { benchAround } from './around.ts'
import { benchAsOf } from './as-of.ts'
import { benchBan } from './ban.ts'
import { benchBearer } from './bearer.ts'
import { benchBeginUpload } from './begin-upload.ts'
import { benchBoardKinds } from './board-kinds.ts'
import { benchBulk } from './bulk.ts'
import { benchCallers } from './callers.ts'
import { benchCliStart } from './cli-start.ts'
import { benchDisk } from './disk.ts'
import { benchDownload } from './download.ts'
import { benchFsync } from './fsync.ts'
import { benchGrowth } from './growth.ts'
import { benchGuests } from './guests.ts'
import { benchIdle } from './idle.ts'
import { benchListing } from './listing.ts'
import { benchMixed } from './mixed.ts'
import { benchOverview } from './overview.ts'
import { benchRanking } from './ranking.ts'
import { benchRankingGrowth } from './ranking-growth.ts'
import { benchRankingMemory } from './ranking-memory.ts'
import { benchRebuild } from './rebuild.ts'
import { benchRooms } from './rooms.ts'
import { benchRules } from './rules.ts'
import { benchSeasons } from './seasons.ts'
import { benchStart } from './start.ts'
import { benchStoresBulk } from './stores-bulk.ts'
import { benchStoresGuests } from './stores-guests.ts'
import { benchStoresRanking } from './stores-ranking.ts'
import { benchStoresRebuild } from './stores-rebuild.ts'
import { benchStoresRules } from './stores-rules.ts'
import { benchStoresSubmit } from './stores-submit.ts'
import { benchSubmit } from './submit.ts'
import { FULL, QUICK, type Size } from './support/measure.ts'
import { build, stopAll } from './support/processes.ts'
import type { BenchRow } from './support/row.ts'
import { benchUpload } from './upload.ts'
import { benchUploadMemory } from './upload-memory.ts'
import { benchWindows } from './windows.ts'

type Benches = Readonly<Record<string, (size: Size) => Promise<readonly BenchRow[]>>>

/** Named like their files. First the goals, then the promises of decisions. */
const BENCHES: Benches = {
  submit: benchSubmit,
  fsync: benchFsync,
  guests: benchGuests,
  bulk: benchBulk,
  around: benchAround,
  ranking: benchRanking,
  windows: benchWindows,
  rebuild: benchRebuild,
  bearer: benchBearer,
  rooms: benchRooms,
  download: benchDownload,
  upload: benchUpload,
  growth: benchGrowth,
  callers: benchCallers,
  'ranking-growth': benchRankingGrowth,
  start: benchStart,
  disk: benchDisk,
  mixed: benchMixed,
  idle: benchIdle,
  'board-kinds': benchBoardKinds,
  'ranking-memory': benchRankingMemory,
  'cli-start': benchCliStart,
  'as-of': benchAsOf,
  ban: benchBan,
  'begin-upload': benchBeginUpload,
  listing: benchListing,
  overview: benchOverview,
  rules: benchRules,
  seasons: benchSeasons,
  'upload-memory': benchUploadMemory,
}

/** In `stores-<name>.ts`. */
const ON_SERVERS: Benches = {
  submit: benchStoresSubmit,
  guests: benchStoresGuests,
  bulk: benchStoresBulk,
  rebuild: benchStoresRebuild,
  ranking: benchStoresRanking,
  rules: benchStoresRules,
}

const HEADINGS: Cells = ['what', 'limit', 'ours', 'ratio', 'goal', 'met']
type Cells = readonly [string, string, string, string, string, string]

async function main(args: readonly string[]): Promise<void> {
  const size = args.includes('--quick') ? QUICK : FULL
  const benches = args.includes('--stores') ? ON_SERVERS : BENCHES
  const named = args.filter((arg) => !arg.startsWith('-'))
  const unknown = named.filter((name) => !(name in benches))
  if (unknown.length > 0) {
    console.log(`There is no bench ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`)
    return
  }
  await build()
  const lines: Cells[] = [HEADINGS]
  for (const [name, bench] of Object.entries(benches)) {
    if (named.length > 0 && !named.includes(name)) continue
    const began = performance.now()
    lines.push(...(await rows(name, bench, size)))
    process.stderr.write(`${name}: ${((performance.now() - began) / 1_000).toFixed(1)} s\n`)
  }
  console.log(table(lines))
  console.log(machine(size))
}

async function rows(name: string, bench: (size: Size) => Promise<readonly BenchRow[]>, size: Size): Promise<Cells[]> {
  try {
    const measured = await bench(size)
    return measured.map(cells)
  } catch (failure) {
    process.stderr.write(`${failure instanceof Error ? failure.stack : failure}\n`)
    return [[`${name}: not measured`, '', '', '', '', 'NO']]
  } finally {
    await stopAll()
  }
}

function cells({ what, limit, ours, ratio, goal, met }: BenchRow): Cells {
  return [what, limit, ours, ratio, goal, met ? 'yes' : 'NO']
}

function table(lines: readonly Cells[]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function machine({ quick, rounds, entries }: Size): string {
  const [first] = cpus()
  const sizes = `${entries.toLocaleString('en')} entries, ${rounds} rounds${quick ? ' (quick)' : ''}`
  return `${cpus().length} × ${first?.model.trim()}, ${platform()} ${release()} ${arch()}, node ${process.version}; ${sizes}`
}

await main(process.argv.slice(2))
