// Command options for the rules of a leaderboard.

import { type Command, Option } from 'commander'
import type { LeaderboardRules, Ordering } from '../clients/javascript/score-shapes.ts'

export interface RuleOptions {
  readonly ordering?: Ordering
  readonly secondaryOrdering?: Ordering
  readonly unique?: boolean
  /** `min` and `max`: decimal strings; false removes the bound (--no-min, --no-max). */
  readonly min?: string | false
  readonly max?: string | false
}

const orderings = (flags: string, about: string) => new Option(flags, about).choices(['desc', 'asc'])

export function addRules(command: Command): Command {
  return command
    .addOption(orderings('--ordering <order>', 'desc: highest first; asc: lowest first'))
    .addOption(orderings('--secondary-ordering <order>', 'order of secondary scores, which break ties'))
    .option('--unique', 'one entry per player: the best submission')
    .option('--no-unique', 'every submission is an entry')
    .option('--min <decimal>', 'reject lower scores')
    .option('--max <decimal>', 'reject higher scores')
    .option('--no-min', 'remove the lower bound')
    .option('--no-max', 'remove the upper bound')
}

export function rulesOf(options: RuleOptions): Partial<LeaderboardRules> {
  const { ordering, secondaryOrdering, unique, min, max } = options
  return {
    ...(ordering === undefined ? {} : { ordering }),
    ...(secondaryOrdering === undefined ? {} : { secondary_ordering: secondaryOrdering }),
    ...(unique === undefined ? {} : { unique }),
    ...(min === undefined ? {} : { min_score: bound(min) }),
    ...(max === undefined ? {} : { max_score: bound(max) }),
  }
}

const bound = (given: string | false): string | null => (given === false ? null : given)
