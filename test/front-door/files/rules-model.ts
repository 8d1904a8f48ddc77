// Who may do what in a folder, as a table written from the contract: the oracle of the rule matrix.

export const RULES = ['list_folders', 'list_files', 'mkdir', 'create', 'read', 'overwrite', 'delete'] as const
type Rule = (typeof RULES)[number]
export const LEVELS = ['nobody', 'creator', 'player', 'anyone'] as const
type Level = (typeof LEVELS)[number]

export const CALLERS = ['admin', 'server key', 'creator', 'other player', 'no player'] as const
export type CallerName = (typeof CALLERS)[number]

const YES = { admin: true, 'server key': true, creator: true, 'other player': true, 'no player': true }
const NO = { admin: true, 'server key': false, creator: false, 'other player': false, 'no player': false }

/** The caller `creator` created the folder and the files. */
export const ADMITTED: Readonly<Record<Level, Readonly<Record<CallerName, boolean>>>> = {
  nobody: NO,
  creator: { ...NO, creator: true },
  player: { ...NO, creator: true, 'other player': true },
  anyone: YES,
}

/** One rule at the given level, the other six at `nobody`. */
export function onlyRule(rule: Rule, level: Level): Record<Rule, Level> {
  const none = Object.fromEntries(RULES.map((one) => [one, 'nobody'])) as Record<Rule, Level>
  return { ...none, [rule]: level }
}
