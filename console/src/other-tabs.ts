// Other tabs of this browser: a new tab is handed the token of a signed-in one, and never a secret. A tab without the
// secret asks for the next token before its own expires. Signing out ends the sessions of all tabs.

import type { Token } from './api.ts'

/** What one tab hands to another. */
export interface HandedSession {
  readonly token: Token
  /** The key's prefix; null for a session that a sign-in link opened: nothing renews it. */
  readonly prefix: string | null
  readonly game: string | null
}

/** A signed-in tab, as far as others need it. */
interface SignedInTab {
  readonly prefix: string | null
  /** Rejects if there is no valid token. */
  hand(): Promise<HandedSession>
  /** The next token; null where this tab has no secret. */
  readonly renew: (() => Promise<Token>) | null
}

type Message =
  | { readonly kind: 'ask'; readonly by: string }
  | { readonly kind: 'hand'; readonly to: string; readonly session: HandedSession }
  | { readonly kind: 'renew'; readonly by: string; readonly prefix: string }
  | { readonly kind: 'renewed'; readonly to: string; readonly token: Token }
  | { readonly kind: 'sign-out' }

/** A tab that is in the background answers late. */
const ASKED_MS = 400
const RENEWED_MS = 10_000

let opened: BroadcastChannel | null = null

function channel(): BroadcastChannel {
  opened ??= new BroadcastChannel('scorebook-console')
  return opened
}

const send = (message: Message): void => channel().postMessage(message)

/** Names this tab for the answer to it. */
const own = Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('')

function listen(onMessage: (message: Message) => void): () => void {
  const listener = ({ data }: MessageEvent<Message>) => onMessage(data)
  channel().addEventListener('message', listener)
  return () => channel().removeEventListener('message', listener)
}

/** Answers other tabs, and ends the session when one signs out. Call it once. */
export function answerTabs(signedIn: () => SignedInTab | null, onSignOut: () => void): void {
  listen((message) => {
    const tab = signedIn()
    if (message.kind === 'sign-out') onSignOut()
    else if (message.kind === 'ask' && tab !== null) void answer(async () => hand(message.by, await tab.hand()))
    else if (message.kind === 'renew' && tab?.renew != null && tab.prefix === message.prefix) {
      const { renew } = tab
      void answer(async () => send({ kind: 'renewed', to: message.by, token: await renew() }))
    }
  })
}

const hand = (to: string, session: HandedSession): void => send({ kind: 'hand', to, session })

/** A tab without a valid token answers nothing. */
const answer = (run: () => Promise<void>): Promise<void> => run().catch(() => {})

/** The sessions of the other tabs, one of each key. Resolves after `ASKED_MS`. */
export async function sessionsOfTabs(): Promise<readonly HandedSession[]> {
  const found = new Map<string, HandedSession>()
  const end = listen((message) => {
    if (message.kind !== 'hand' || message.to !== own) return
    const { prefix, token } = message.session
    found.set(prefix ?? token.token, message.session)
  })
  send({ kind: 'ask', by: own })
  await new Promise((resolve) => setTimeout(resolve, ASKED_MS))
  end()
  return [...found.values()]
}

/** The next token of a key whose secret another tab has. `onNone` makes the error for when no tab has it. */
export function tokenFromTab(prefix: string, onNone: () => Error): Promise<Token> {
  return new Promise((resolve, reject) => {
    const end = listen((message) => {
      if (message.kind !== 'renewed' || message.to !== own) return
      clearTimeout(timer)
      end()
      resolve(message.token)
    })
    const timer = setTimeout(() => {
      end()
      reject(onNone())
    }, RENEWED_MS)
    send({ kind: 'renew', by: own, prefix })
  })
}

/** Ends the sessions of all other tabs. */
export const signOutTabs = (): void => send({ kind: 'sign-out' })
