// Who is signed in, and what they may do on the page that is shown. A secret lives in memory, or in sessionStorage
// where the person asked to keep it for the tab.

import { computed, signal } from '@preact/signals'
import { anyCovers } from '../../domain/permissions.ts'
import {
  type Api,
  type KeyFile,
  keyIn,
  type Opened,
  openWithCode,
  openWithKey,
  openWithToken,
  ProblemError,
  untilItEnds,
} from './api.ts'
import { invalidating } from './mutations.ts'
import { shownGame } from './navigation.ts'
import { answerTabs, type HandedSession, sessionsOfTabs, signOutTabs, tokenFromTab } from './other-tabs.ts'
import { texts } from './texts.ts'

/** Who signed in. */
interface SignedIn extends Opened {
  /** The key's prefix; null for a session that a sign-in link opened. */
  readonly prefix: string | null
  readonly isOperator: boolean
  /** The game of the key; null for the operator, and where nothing names it. */
  readonly game: string | null
  /** Whether this tab has the secret, and can get tokens by itself. */
  readonly hasSecret: boolean
}

/** The calls and permissions of the page that is shown. */
export interface Session {
  readonly api: Api
  readonly permissions: readonly string[]
  readonly prefix: string | null
  readonly isOperator: boolean
  /** The game of the page; null on the operator's pages, and where nothing names it. */
  readonly game: string | null
  /** Makes and changes keys: for the operator their own token, because one of a game manages none. */
  readonly keysApi: Api
  readonly mayManageKeys: boolean
}

const signedIn = signal<SignedIn | null>(null)
/** The game that the operator has entered last, with a token of it. */
const entered = signal<(Opened & { readonly game: string }) | null>(null)

/** Null: nobody is signed in, or the operator has not entered the game of the address yet. */
export const session = computed<Session | null>(() => {
  const who = signedIn.value
  if (who === null) return null
  const { prefix, isOperator, api } = who
  const game = isOperator ? shownGame() : null
  if (game === null) {
    const mayManageKeys = isOperator || (who.game !== null && anyCovers(who.permissions, `gm:${who.game}:keys`))
    return { api, permissions: who.permissions, prefix, isOperator, game: who.game, keysApi: api, mayManageKeys }
  }
  const inside = entered.value
  if (inside?.game !== game) return null
  return {
    api: inside.api,
    permissions: inside.permissions,
    prefix,
    isOperator,
    game,
    keysApi: api,
    mayManageKeys: true,
  }
})

/** The operator's or the key's own calls, on each page; null: nobody is signed in. */
export const login = computed(() => signedIn.value)

export interface SignInNotice {
  readonly title: string
  readonly text: string
}

/** Why somebody has to sign in again. */
export const signInNotice = signal<SignInNotice | null>(null)

/** The sessions of other tabs, where they differ and the person has to choose. */
export const offered = signal<readonly HandedSession[]>([])

const KEPT = 'scorebook-console-key'
/** The game that the operator entered last in this tab. */
const KEPT_GAME = 'scorebook-console-game'

class SessionEnded extends Error {}

export async function signInWithKey(key: KeyFile, keep: boolean): Promise<void> {
  const opened = await openWithKey(key)
  if (keep) sessionStorage.setItem(KEPT, JSON.stringify(key))
  else sessionStorage.removeItem(KEPT)
  begin(opened, { prefix: key.prefix, game: key.game ?? null, hasSecret: true })
}

export async function signInWithCode(code: string): Promise<void> {
  const opened = await openWithCode(code, () => new SessionEnded(texts.signIn.linkEnded))
  // A reload must not sign in as somebody else.
  sessionStorage.removeItem(KEPT)
  begin(opened, { prefix: null, game: null, hasSecret: false })
}

export function signInByTab({ token, prefix, game }: HandedSession): void {
  const renew =
    prefix === null
      ? untilItEnds(token, () => new SessionEnded(texts.signIn.linkEnded))
      : () => tokenFromTab(prefix, () => new SessionEnded(texts.signIn.tabEnded))
  begin(openWithToken(token, renew), { prefix, game, hasSecret: false })
}

function begin(opened: Opened, who: Pick<SignedIn, 'prefix' | 'game' | 'hasSecret'>): void {
  signInNotice.value = null
  offered.value = []
  entered.value = null
  const { permissions } = opened
  const isOperator = permissions.includes('sys:games')
  const api = invalidating(opened.api)
  signedIn.value = { ...opened, ...who, api, isOperator, game: isOperator ? null : (gameOf(permissions) ?? who.game) }
}

/** Signs in with the key that the tab keeps. Returns false if it keeps none. Rejects like the handshake. */
export async function signInAgain(): Promise<boolean> {
  const kept = sessionStorage.getItem(KEPT)
  const key = kept === null ? null : keyIn(kept)
  if (key === null) return false
  await signInWithKey(key, true)
  return true
}

/** Continues the session of another tab. With several, the person chooses. */
export async function joinTabs(): Promise<void> {
  const sessions = await sessionsOfTabs()
  const [only, ...others] = sessions
  if (signedIn.value !== null || only === undefined) return
  if (others.length === 0) signInByTab(only)
  else offered.value = sessions
}

/** Gets a token of a game for the operator. Rejects with ProblemError, such as 404 for a deleted game. */
export async function enterGame(game: string): Promise<void> {
  const who = signedIn.value
  if (who === null) return
  const opened = await who.enterGame(game)
  if (signedIn.value !== who) return
  entered.value = { ...opened, api: invalidating(opened.api), game }
  sessionStorage.setItem(KEPT_GAME, game)
}

/** The game that the operator entered last in this tab; null if none. */
export const lastGame = (): string | null => sessionStorage.getItem(KEPT_GAME)

/** Ends the session of this tab. `because`: why, where the person did not ask for it. */
function end(because: string | null): void {
  sessionStorage.removeItem(KEPT)
  sessionStorage.removeItem(KEPT_GAME)
  signInNotice.value = because === null ? null : { title: texts.signIn.endedTitle, text: because }
  signedIn.value = null
  entered.value = null
  offered.value = []
}

/** Ends the sessions of all tabs of this browser. */
export function signOut(): void {
  signOutTabs()
  end(null)
}

/** Shares the session with other tabs of this browser. Call it once. */
export function shareSession(): void {
  answerTabs(
    () => {
      const who = signedIn.value
      if (who === null) return null
      const { prefix, game, current, hasSecret } = who
      return { prefix, hand: async () => ({ prefix, game, token: await current() }), renew: hasSecret ? current : null }
    },
    () => {
      if (signedIn.value !== null || offered.value.length > 0) end(null)
    },
  )
}

/** Ends the session if this error means that it is over. Returns whether it did. */
export function endsSession(error: unknown): boolean {
  if (error instanceof SessionEnded) end(error.message)
  else if (error instanceof ProblemError && error.status === 401) end(error.detail)
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
