// Who is signed in. A secret lives in memory, or in sessionStorage where the person asked to keep it for the tab.

import { signal } from '@preact/signals'
import { anyCovers } from '../../domain/permissions.ts'
import { type Api, type KeyFile, keyIn, openWithCode, openWithKey, ProblemError } from './api.ts'
import { invalidating } from './mutations.ts'
import { texts } from './texts.ts'

export interface Session {
  readonly api: Api
  readonly permissions: readonly string[]
  /** The key's prefix; null for a session that a sign-in link opened. */
  readonly prefix: string | null
  readonly isOperator: boolean
  /** The game of the permissions; null for the operator, and where no permission names it. */
  readonly game: string | null
}

/** Null: nobody. */
export const session = signal<Session | null>(null)
export interface SignInNotice {
  readonly title: string
  readonly text: string
}

/** Why somebody has to sign in again. */
export const signInNotice = signal<SignInNotice | null>(null)

const KEPT = 'scorebook-console-key'

class SessionEnded extends Error {}

export async function signInWithKey(key: KeyFile, keep: boolean): Promise<void> {
  const { api, permissions } = await openWithKey(key)
  if (keep) sessionStorage.setItem(KEPT, JSON.stringify(key))
  else sessionStorage.removeItem(KEPT)
  begin(api, permissions, key)
}

export async function signInWithCode(code: string): Promise<void> {
  const { api, permissions } = await openWithCode(code, () => new SessionEnded(texts.signIn.linkEnded))
  // A reload must not sign in as somebody else.
  sessionStorage.removeItem(KEPT)
  begin(api, permissions, null)
}

function begin(api: Api, permissions: readonly string[], key: KeyFile | null): void {
  signInNotice.value = null
  session.value = {
    api: invalidating(api),
    permissions,
    prefix: key?.prefix ?? null,
    isOperator: permissions.includes('sys:games'),
    game: gameOf(permissions) ?? key?.game ?? null,
  }
}

/** Signs in with the key that the tab keeps. Returns false if it keeps none. Rejects like the handshake. */
export async function signInAgain(): Promise<boolean> {
  const kept = sessionStorage.getItem(KEPT)
  const key = kept === null ? null : keyIn(kept)
  if (key === null) return false
  await signInWithKey(key, true)
  return true
}

/** `because`: why, where the person did not ask for it. */
export function signOut(because: string | null = null): void {
  sessionStorage.removeItem(KEPT)
  signInNotice.value = because === null ? null : { title: texts.signIn.endedTitle, text: because }
  session.value = null
}

/** Ends the session if this error means that it is over. Returns whether it did. */
export function endsSession(error: unknown): boolean {
  if (error instanceof SessionEnded) signOut(error.message)
  else if (error instanceof ProblemError && error.status === 401) signOut(error.detail)
  else return false
  return true
}

/** Whether the token has this permission. */
export const may = (permission: string): boolean => anyCovers(session.value?.permissions ?? [], permission)

/** The game that the permissions name; null if they name none. */
function gameOf(permissions: readonly string[]): string | null {
  for (const permission of permissions) {
    const game = /^gm:([a-z2-7]{24}):/.exec(permission)?.[1]
    if (game !== undefined) return game
  }
  return null
}
