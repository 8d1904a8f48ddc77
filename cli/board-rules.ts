// Command options for the rules of a leaderboard.

import { type Command, Option } from 'commander'
import type { Keep, LeaderboardRules, Ordering } from '../clients/javascript/score-shapes.ts'
import { UsageFault } from './failure.ts'

export interface RuleOptions {
  readonly ordering?: Ordering
  readonly secondaryOrdering?: Ordering
  readonly unique?: boolean
  readonly keep?: Keep
  /** `min` and `max`: decimal strings; false removes the bound (--no-min, --no-max). */
  readonly min?: string | false
  readonly max?: string | false
}

const orderings = (flags: string, about: string) => new Option(flags, about).choices(['desc', 'asc'])

export function addRules(command: Command): Command {
  return command
    .addOption(orderings('--ordering <order>', 'desc: highest first; asc: lowest first'))
    .addOption(orderings('--secondary-ordering <order>', 'order of secondary scores, which break ties'))
    .option('--unique', 'one entry per player, see --keep')
    .option('--no-unique', 'every submission is an entry')
    .addOption(
      new Option(
        '--keep <which>',
        'what a player’s entry shows: their best submission, the latest one, or the total of all',
      ).choices(['best', 'latest', 'total']),
    )
    .option('--min <decimal>', 'reject lower scores')
    .option('--max <decimal>', 'reject higher scores')
    .option('--no-min', 'remove the lower bound')
    .option('--no-max', 'remove the upper bound')
}

/** Throws UsageFault if the options contradict each other. */
export function rulesOf(options: RuleOptions): Partial<LeaderboardRules> {
  const { ordering, secondaryOrdering, unique, keep, min, max } = options
  if (unique === false && keep !== undefined && keep !== 'best')
    throw new UsageFault(
      `--keep ${keep} needs one entry per player. Leave out --no-unique, or pass --keep best with it.`,
    )
  return {
    ...(ordering === undefined ? {} : { ordering }),
    ...(secondaryOrdering === undefined ? {} : { secondary_ordering: secondaryOrdering }),
    ...(unique === undefined ? {} : { unique }),
    ...(keep === undefined ? {} : { keep }),
    ...(min === undefined ? {} : { min_score: bound(min) }),
    ...(max === undefined ? {} : { max_score: bound(max) }),
  }
}

const bound = (given: string | false): string | null => (given === false ? null : given)
