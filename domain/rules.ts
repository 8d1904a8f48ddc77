// The seven rules of a folder and who they admit. Pure, and the only place that decides it: commands, queries, routes
// and the tenant's `explain` all ask here.

import { Refusal } from './decider.ts'

export const RULES = ['list_folders', 'list_files', 'mkdir', 'create', 'read', 'overwrite', 'delete'] as const
export type Rule = (typeof RULES)[number]

/**
 * `creator`: of the folder for the first four rules, of the file for the last three; never a caller without a player.
 */
export const LEVELS = ['nobody', 'creator', 'player', 'anyone'] as const
export type Level = (typeof LEVELS)[number]

/** A type, not an interface: it is stored as it is. */
export type FolderRules = { readonly [R in Rule]: Level }

/** What a new bucket's root begins with. */
export const ROOT_RULES: FolderRules = {
  list_folders: 'anyone',
  list_files: 'creator',
  mkdir: 'nobody',
  create: 'nobody',
  read: 'anyone',
  overwrite: 'creator',
  delete: 'creator',
}

/** Rules about a file inside, which is what their creator is the creator of. */
const OF_FILES: readonly Rule[] = ['read', 'overwrite', 'delete']

/** Who wants to do something: whether they hold the bucket's admin action, and the player signed in. */
export interface Visitor {
  readonly isAdmin: boolean
  readonly player: string | null
}

type Reason = 'admin' | 'anyone' | 'player' | 'creator' | 'nobody' | 'no_player' | 'not_creator'

interface Verdict {
  readonly isAdmitted: boolean
  readonly why: Reason
}

/** `creator` is the one that the rule's level `creator` means. */
export function judge(level: Level, visitor: Visitor, creator: string | null): Verdict {
  if (visitor.isAdmin) return { isAdmitted: true, why: 'admin' }
  if (level === 'anyone') return { isAdmitted: true, why: 'anyone' }
  if (level === 'nobody') return { isAdmitted: false, why: 'nobody' }
  if (visitor.player === null) return { isAdmitted: false, why: 'no_player' }
  if (level === 'player') return { isAdmitted: true, why: 'player' }
  return visitor.player === creator ? { isAdmitted: true, why: 'creator' } : { isAdmitted: false, why: 'not_creator' }
}

export function admits(level: Level, visitor: Visitor, creator: string | null): boolean {
  return judge(level, visitor, creator).isAdmitted
}

/** Why, as people read it. */
export const REASON_TEXT: Readonly<Record<Reason, string>> = {
  admin: 'the token holds the bucket’s admin action, which passes every rule',
  anyone: 'the rule admits any token with the bucket’s files permission',
  player: 'the rule admits any signed-in player',
  creator: 'the rule admits the creator, who this player is',
  nobody: 'the rule admits nobody',
  no_player: 'the rule asks for a player, and none is signed in',
  not_creator: 'the rule admits only the creator, who this player is not',
}

/** A folder as far as its rules go. */
interface Ruled {
  readonly rules: FolderRules
  readonly creator: string | null
}

/** Which files a list shows: all, those that the visitor made, or null: no list at all. */
export function filesShown({ rules, creator }: Ruled, visitor: Visitor): 'all' | 'own' | null {
  if (admits(rules.list_files, visitor, creator)) return 'all'
  if (rules.list_files !== 'creator' || visitor.player === null) return null
  return admits(rules.create, visitor, creator) ? 'own' : null
}

/**
 * Whether any rule admits the visitor to anything in the folder. `hasOwnFiles`: whether they made a file that is in it.
 */
export function isOpenTo({ rules, creator }: Ruled, visitor: Visitor, hasOwnFiles: boolean): boolean {
  return RULES.some((rule) => {
    if (!OF_FILES.includes(rule)) return admits(rules[rule], visitor, creator)
    return admits(rules[rule], visitor, hasOwnFiles ? visitor.player : null)
  })
}

/** What a folder made inside begins with. */
export function rulesForNew({
  rules,
  childRules,
}: {
  rules: FolderRules
  childRules: FolderRules | null
}): FolderRules {
  return childRules ?? rules
}

/** One answer for what is not there and for what the caller may not touch: the caller is not told which. */
export function nothingThere(): Refusal {
  return new Refusal('not_found', 'not_found', 'There is nothing here, or nothing for this caller.')
}
