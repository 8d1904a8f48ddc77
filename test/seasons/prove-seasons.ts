// `npm run proof:seasons`: boundaries against the time zones of tzdata, histories against a model of all submissions,
// and kills near the ends of seasons.

import { proveSeasonKills } from '../crash/prove-season-kills.ts'
import { compareBoundaries, oraclePython } from '../domain/seasons/compare-boundaries.ts'
import { THIRTY_ZONES, UNUSUAL } from '../domain/seasons/spans.ts'
import { proveSeasonHistories } from '../projections/prove-season-histories.ts'
import { type Part, type Parts, proveParts, type Report } from '../proof-parts.ts'
import { proveSimulation } from '../simulation/prove-simulation.ts'
import { WITH_SEASONS } from '../simulation/run-history.ts'

interface Sizes {
  readonly histories: number
  /** Histories of whole nodes, with faults and crashes. */
  readonly simulated: number
  readonly kills: number
  /** Kills of one node alone, and as many of one of two. */
  readonly onServers: number
}

const PARTS: Parts<Sizes> = {
  async boundaries(_seed, _sizes, report) {
    const python = await oraclePython()
    const spans = [...UNUSUAL, ...THIRTY_ZONES]
    const faults: string[] = []
    let boundaries = 0
    for (const [done, span] of spans.entries()) {
      const compared = await compareBoundaries(python, [span])
      boundaries += compared.boundaries
      faults.push(...compared.differences)
      report(`${done + 1} of ${spans.length} zones, ${boundaries} boundaries, ${faults.length} differences`)
    }
    const tried = `${boundaries} boundaries in ${spans.length} spans of years against each minute of tzdata`
    return { tried, faults }
  },
  async histories(firstSeed, { histories }, onProgress) {
    const faults = await proveSeasonHistories({ histories, firstSeed, onProgress })
    return { tried: `${histories} random histories of a leaderboard with seasons, against the model`, faults }
  },
  async simulation(firstSeed, { simulated: histories }, report) {
    const onProgress = (played: number, failed: number, last: string) =>
      report(`${played} of ${histories} simulated histories, ${failed} failed ${last}`.trimEnd())
    const { steps, failed } = await proveSimulation({ histories, firstSeed, onProgress, course: WITH_SEASONS })
    const tried = `${histories} simulated histories of leaderboards with seasons, with faults and crashes, ${steps} steps`
    return { tried, faults: failed }
  },
  kills: (seed, { kills }, report) => killed(0, kills, seed, report),
  async 'on-servers'(seed, { onServers }, report) {
    const parts = [await killed(1, onServers, seed, report), await killed(2, onServers, seed, report)]
    return { tried: parts.map(({ tried }) => tried).join('; '), faults: parts.flatMap(({ faults }) => faults) }
  },
}

const INSTALLATIONS = [
  'with embedded stores',
  'of a node on servers',
  'of one of two nodes, whose clocks differ',
] as const

async function killed(nodesOnServers: 0 | 1 | 2, kills: number, seed: number, report: Report): Promise<Part> {
  const where = INSTALLATIONS[nodesOnServers]
  const onProgress = (line: string) => report(`${where}: ${line}`)
  const proof = await proveSeasonKills({ kills, seed, nodesOnServers, onProgress })
  const { seasons, acknowledged, retried, longestMs, faults } = proof
  const calls = `${acknowledged} submissions acknowledged, ${retried} unanswered ones sent again`
  const tried = `${kills} kill -9 ${where} near the end of a season, ${seasons} seasons, ${calls}; the last was closed at most ${longestMs} ms after a restart`
  return { tried, faults }
}

export const proveSeasons = (seed: number, sizes: Sizes, report: Report, parts: readonly string[]) =>
  proveParts(PARTS, parts, seed, sizes, report)
