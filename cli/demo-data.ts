// The data of the demo: seven leaderboards, one of each kind, players with a name and a skill, and plausible scores.
// The same seed gives the same scores. They are submitted all now, or spread over past days by a clock that starts
// behind and catches up.

import type { NewLeaderboard, NewScore } from '../clients/javascript/score-shapes.ts'

interface DemoBoard {
  readonly board: NewLeaderboard
  /** A score for a skill and luck, both from 0 to 1 (best). */
  score(skill: number, luck: number): string
  secondary?(skill: number, luck: number): string
}

export const DEMO_BOARDS: readonly DemoBoard[] = [
  {
    board: {
      name: 'High score',
      key: 'high-score',
      description: 'The best round of each player; among equals, the one with more coins.',
      ordering: 'desc',
    },
    score: (skill, luck) => String(Math.round((skill * 0.7 + luck * 0.3) ** 2 * 9_999) * 10),
    secondary: (_skill, luck) => String(Math.floor(luck * 500)),
  },
  {
    board: {
      name: 'Fastest lap',
      key: 'fastest-lap',
      description: 'Seconds, to the thousandth. Nobody is faster than 30 seconds.',
      ordering: 'asc',
      min_score: '30',
    },
    score: (skill, luck) => (30.5 + (1 - skill) * 40 + (1 - luck) * 12).toFixed(3),
  },
  {
    board: {
      name: 'Every run',
      key: 'every-run',
      description: 'Not only the best: each run counts, from 0 to 1,000.',
      ordering: 'desc',
      unique: false,
      min_score: '0',
      max_score: '1000',
    },
    score: (skill, luck) => (1_000 * Math.min(1, skill * 0.5 + luck * 0.5)).toFixed(1),
  },
  {
    board: {
      name: 'Fewest moves',
      key: 'fewest-moves',
      description: 'Each puzzle solved, with the moves it took.',
      ordering: 'asc',
      unique: false,
      min_score: '7',
      max_score: '500',
    },
    score: (skill, luck) => String(7 + Math.floor((1 - skill) * 60 + (1 - luck) * 30)),
  },
  {
    board: {
      name: 'Experience',
      key: 'experience',
      description: 'The total of all rounds, each worth up to 500 points; among equals, the one with more kills.',
      ordering: 'desc',
      keep: 'total',
      min_score: '0',
      max_score: '500',
    },
    score: (skill, luck) => String(Math.round(500 * (skill * 0.6 + luck * 0.4))),
    secondary: (skill, luck) => String(Math.floor((skill + luck) * 10)),
  },
  {
    board: {
      name: 'Rating',
      key: 'rating',
      description: 'The latest rating of each player, better or worse than the one before.',
      ordering: 'desc',
      keep: 'latest',
      min_score: '0',
    },
    score: (skill, luck) => (1_000 + skill * 1_000 + (luck - 0.5) * 200).toFixed(1),
  },
  {
    board: {
      name: 'Weekly race',
      key: 'weekly',
      description: 'The best race of each player. A season ends each Monday, at midnight in UTC.',
      ordering: 'desc',
      seasons: { cron: 'weekly', time_zone: 'UTC' },
    },
    score: (skill, luck) => String(Math.round((skill + luck) * 2_500)),
  },
]

/** Seeded random numbers from 0 (inclusive) to 1. */
export type Dice = () => number

/** Mulberry32, which is good enough for a demo. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function drawScore(demoBoard: DemoBoard, skill: number, dice: Dice): NewScore {
  const luck = dice()
  const { score, secondary } = demoBoard
  return {
    score: score(skill, luck),
    ...(secondary === undefined ? {} : { secondary_score: secondary(skill, luck) }),
    extra_data: { level: 1 + Math.floor(luck * 12) },
  }
}

/** From 0 to 1, concentrated in the middle. */
export function skillOf(player: number): number {
  const dice = diceOf(player + 1)
  return (dice() + dice() + dice()) / 3
}

const FIRST =
  'Amber Brisk Calm Dapper Eager Fabled Gentle Hardy Icy Jolly Keen Lucky Merry Nimble Olive Proud Quick Royal Sly Tidy'
const SECOND =
  'Otter Badger Comet Dragon Ember Falcon Gecko Heron Ibis Jackal Kestrel Lynx Marten Newt Osprey Puffin Quail Raven Stoat Tapir'

/** `Amber Otter`, `Brisk Gecko` …; with a number when all combinations are used. */
export function playerName(at: number): string {
  const [first, second] = [FIRST.split(' '), SECOND.split(' ')]
  const pairs = first.length * second.length
  const pair = (at * 147) % pairs
  const name = `${first[pair % first.length]} ${second[Math.floor(pair / first.length)]}`
  return at < pairs ? name : `${name} ${Math.floor(at / pairs) + 1}`
}

const HOUR_MS = 3_600_000
const HOURS_A_DAY = 24
/** The busiest hour of a day has this share more scores than a quiet hour. */
const EVENING = 3
/** The last day has this share more scores than the first day. */
const GROWTH = 1
/** Random variation of a single hour, as a share. */
const CHANCE = 0.8

/** Scores to submit `agoMs` milliseconds before now. */
export interface DemoHour {
  readonly agoMs: number
  readonly scores: number
}

/** One batch for 0 days, else one per hour, oldest first: more in the evening (UTC), and more each day. */
export function demoHours(days: number, scores: number, dice: Dice): DemoHour[] {
  if (days === 0) return [{ agoMs: 0, scores }]
  const hours = days * HOURS_A_DAY
  const weights = Array.from({ length: hours }, (_, hour) => weightOf(hour, hours, dice()))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  let reached = 0
  let before = 0
  return weights.map((weight, hour) => {
    reached += weight
    const sent = hour === hours - 1 ? scores : Math.round((reached / all) * scores)
    const own = { agoMs: (hours - 1 - hour) * HOUR_MS, scores: sent - before }
    before = sent
    return own
  })
}

function weightOf(hour: number, hours: number, luck: number): number {
  const evening = (1 - Math.cos((2 * Math.PI * (hour % HOURS_A_DAY)) / HOURS_A_DAY)) / 2
  return (1 + EVENING * evening) * (1 + (GROWTH * hour) / hours) * (1 - CHANCE * luck)
}

/** A clock that lags real time by the value last set. It never goes back. */
export interface DemoClock {
  /** Unix milliseconds. */
  now(): number
  /** Throws RangeError for a value that would turn the clock back. */
  setBehind(ms: number): void
}

/** The initial lag: that of the oldest hour. */
export function demoClock(days: number): DemoClock {
  let behindMs = Math.max(0, days * HOURS_A_DAY - 1) * HOUR_MS
  return {
    now: () => Date.now() - behindMs,
    setBehind: (ms) => {
      if (ms > behindMs) throw new RangeError('a clock of the demo cannot be turned back')
      behindMs = ms
    },
  }
}
