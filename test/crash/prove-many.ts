// `npm run proof:many`: calls with many submissions while the server is killed, through a proxy that cuts them, and as
// imports of files that are killed.

import { proveImport } from '../cli/prove-import.ts'
import { type Parts, proveParts, type Report } from '../proof-parts.ts'
import { proveManyCuts } from './prove-many-cuts.ts'
import { proveManyKills } from './prove-many-kills.ts'

const IMPORT_KILLS = 10
const OF_SERVER = 3
const MIB = 1_048_576

interface Sizes {
  readonly kills: number
  readonly calls: number
  readonly importRows: number
}

const PARTS: Parts<Sizes> = {
  async kills(seed, { kills }, report) {
    const onProgress = (kill: number, _: number, faults: number) =>
      report(`${kill} of ${kills} kills, ${faults} faults`)
    const { submissions, answered, hadBeenRecorded, faults } = await proveManyKills({ kills, seed, onProgress })
    const before = `${answered} calls had been answered, ${hadBeenRecorded} rows of others had been recorded`
    return { tried: `${kills} kill -9 in the middle of calls, ${submissions} submissions; ${before}`, faults }
  },
  async cuts(seed, { calls }, report) {
    const onProgress = (done: number, faults: number) => report(`${done} of ${calls} calls, ${faults} faults`)
    const { submissions, tries, cuts, corrected, faults } = await proveManyCuts({ calls, seed, onProgress })
    const cut = Object.entries(cuts).map(([kind, count]) => `${count} ${kind}`)
    const tried = `${calls} calls, ${submissions} submissions, ${corrected} of them corrected, in ${tries} tries; cut: ${cut.join(', ')}`
    return { tried, faults }
  },
  async import(seed, { importRows }, report) {
    const proof = { rows: importRows, kills: IMPORT_KILLS, ofServer: OF_SERVER, seed, report }
    const { rows, wrong, kills, rate, peak, seconds, faults } = await proveImport(proof)
    const killed = `the command killed ${kills.command} times, the server ${kills.server} times`
    const memory = `peak memory ${mib(peak.command)} of the command, ${mib(peak.server)} of the server`
    const tried = `an import of ${rows} rows, ${wrong} of them wrong, ${killed}, in ${seconds.toFixed(0)} s; ${rate.toFixed(0)} new rows/s; ${memory}`
    return { tried, faults }
  },
}

const mib = (bytes: number): string => `${(bytes / MIB).toFixed(0)} MiB`

export const proveMany = (seed: number, sizes: Sizes, report: Report, parts: readonly string[]) =>
  proveParts(PARTS, parts, seed, sizes, report)
