// The rules of a leaderboard as options of commands.

import { type Command, Option } from 'commander'
import type { LeaderboardChange, Ordering } from '../client/score-shapes.ts'

export interface RuleOptions {
  readonly name?: string
  readonly description?: string
  readonly ordering?: Ordering
  readonly secondaryOrdering?: Ordering
  readonly unique?: boolean
  readonly min?: string
  readonly max?: string
}

const orderings = (flags: string, about: string) => new Option(flags, about).choices(['desc', 'asc'])

export function addRules(command: Command): Command {
  return command
    .option('--description <text>', 'a line or more about it')
    .addOption(orderings('--ordering <order>', 'desc: highest first; asc: lowest first'))
    .addOption(orderings('--secondary-ordering <order>', 'the same for secondary scores'))
    .option('--unique', 'one entry per player, their best')
    .option('--no-unique', 'every submission is an entry')
    .option('--min <decimal>', 'lower scores are refused')
    .option('--max <decimal>', 'higher scores are refused')
}

export function rulesOf(options: RuleOptions): LeaderboardChange {
  const { description, ordering, secondaryOrdering, unique, min, max } = options
  return {
    ...(description === undefined ? {} : { description }),
    ...(ordering === undefined ? {} : { ordering }),
    ...(secondaryOrdering === undefined ? {} : { secondary_ordering: secondaryOrdering }),
    ...(unique === undefined ? {} : { unique }),
    ...(min === undefined ? {} : { min_score: min }),
    ...(max === undefined ? {} : { max_score: max }),
  }
}
