// The seven rules of a folder and whom they admit. Pure; commands, queries, routes and the tenant's `explain` all
// decide with these functions.

import { Refusal } from './decider.ts'

export const RULES = ['list_folders', 'list_files', 'mkdir', 'create', 'read', 'overwrite', 'delete'] as const
export type Rule = (typeof RULES)[number]

/**
 * `creator`: of the folder for the first four rules, of the file for the last three. A caller who is not signed in as a
 * player is never the creator.
 */
export const LEVELS = ['nobody', 'creator', 'player', 'anyone'] as const
export type Level = (typeof LEVELS)[number]

/** A type, not an interface, so that it is assignable to JSON. */
export type FolderRules = { readonly [R in Rule]: Level }

/** The rules of a new bucket's root folder. */
export const ROOT_RULES: FolderRules = {
  list_folders: 'anyone',
  list_files: 'creator',
  mkdir: 'nobody',
  create: 'nobody',
  read: 'anyone',
  overwrite: 'creator',
  delete: 'creator',
}

/** Rules about files: their level `creator` means the file's creator. */
const OF_FILES: readonly Rule[] = ['read', 'overwrite', 'delete']

/** The caller: whether they have the bucket's admin permission, and the signed-in player. */
export interface Visitor {
  readonly isAdmin: boolean
  readonly player: string | null
}

type Reason = 'admin' | 'anyone' | 'player' | 'creator' | 'nobody' | 'no_player' | 'not_creator'

interface Verdict {
  readonly isAdmitted: boolean
  readonly reason: Reason
}

/** `creator`: the player that level `creator` means for this rule. */
export function judge(level: Level, visitor: Visitor, creator: string | null): Verdict {
  if (visitor.isAdmin) return { isAdmitted: true, reason: 'admin' }
  if (level === 'anyone') return { isAdmitted: true, reason: 'anyone' }
  if (level === 'nobody') return { isAdmitted: false, reason: 'nobody' }
  if (visitor.player === null) return { isAdmitted: false, reason: 'no_player' }
  if (level === 'player') return { isAdmitted: true, reason: 'player' }
  return visitor.player === creator
    ? { isAdmitted: true, reason: 'creator' }
    : { isAdmitted: false, reason: 'not_creator' }
}

export function admits(level: Level, visitor: Visitor, creator: string | null): boolean {
  return judge(level, visitor, creator).isAdmitted
}

/** The reasons as text. */
export const REASON_TEXT: Readonly<Record<Reason, string>> = {
  admin: 'the token has the bucket’s admin permission, which passes every rule',
  anyone: 'the rule admits any token with the bucket’s files permission',
  player: 'the rule admits any signed-in player',
  creator: 'the rule admits the creator, and this player is the creator',
  nobody: 'the rule admits nobody',
  no_player: 'the rule requires a player, and none is signed in',
  not_creator: 'the rule admits only the creator, and this player is not the creator',
}

/** A folder's rules and creator. */
interface Ruled {
  readonly rules: FolderRules
  readonly creator: string | null
}

/** The files that a list shows: all, the visitor's own, or null: the visitor may not list. */
export function filesShown({ rules, creator }: Ruled, visitor: Visitor): 'all' | 'own' | null {
  if (admits(rules.list_files, visitor, creator)) return 'all'
  if (rules.list_files !== 'creator' || visitor.player === null) return null
  return admits(rules.create, visitor, creator) ? 'own' : null
}

/** Whether any rule of the folder admits the visitor. `hasOwnFiles`: whether they created a file in it. */
export function isOpenTo({ rules, creator }: Ruled, visitor: Visitor, hasOwnFiles: boolean): boolean {
  return RULES.some((rule) => {
    if (!OF_FILES.includes(rule)) return admits(rules[rule], visitor, creator)
    return admits(rules[rule], visitor, hasOwnFiles ? visitor.player : null)
  })
}

/** The rules of a folder created inside. */
export function rulesForNew({
  rules,
  childRules,
}: {
  rules: FolderRules
  childRules: FolderRules | null
}): FolderRules {
  return childRules ?? rules
}

/** The same answer for a missing item and a forbidden one, so that it does not reveal which. */
export function nothingThere(): Refusal {
  return new Refusal('not_found', 'not_found', 'There is nothing at this path or id, or the caller may not see it.')
}
