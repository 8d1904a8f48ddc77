// The login and e-mail address linked to a player, and the part of the player's state that they decide.

import type { LoginKind } from './login.ts'

/** A login or e-mail address of a player. */
export interface Link {
  readonly kind: LoginKind
  /** The keyed hash in the name of its claim's stream. */
  readonly digest: string
  /** The id of its secrets in the vault. */
  readonly secret: string
  /** Whether a mailed code has confirmed the address; a login is confirmed from the start. */
  readonly confirmed: boolean
}

export interface EmailConfirmedData {
  readonly digest: string
  /**
   * True if the person who confirmed it was not signed in as this player: then the login, the guest token and every
   * session but this one become invalid.
   */
  readonly takesOver: boolean
  /** The login that became invalid. */
  readonly login: Pick<Link, 'digest' | 'secret'> | null
  /** The session that the code began. */
  readonly session: string
}

export type LinkEvent =
  | { readonly type: 'PlayerLinked'; readonly data: Link }
  | { readonly type: 'PlayerEmailConfirmed'; readonly data: EmailConfirmedData }

export interface TakenOver {
  /** ISO 8601, UTC. */
  readonly time: string
  /** The session that the address owner started. */
  readonly session: string
}

/** The part of a player's state that links decide. */
export interface Linked {
  readonly guest: boolean
  /** Sign-in methods, other than a guest token and the tenant's tickets. */
  readonly links: readonly Link[]
  /** When the address owner took the player over, which made earlier sign-in methods invalid; null: never. */
  readonly takenOver: TakenOver | null
}

/** The player's link of a kind. */
export const linkOf = (state: Pick<Linked, 'links'>, kind: LoginKind): Link | null =>
  state.links.find((link) => link.kind === kind) ?? null

export function linked<State extends Linked>(state: State, link: Link): State {
  return { ...state, guest: false, links: [...state.links.filter(({ kind }) => kind !== link.kind), link] }
}

/** The address owner owns the player: a password set before becomes invalid, and so does a guest token. */
export function confirmed<State extends Linked>(
  state: State,
  { digest, takesOver, session }: EmailConfirmedData,
  time: string,
): State {
  const links = state.links
    .filter(({ kind }) => !(takesOver && kind === 'login'))
    .map((link) => (link.kind === 'email' && link.digest === digest ? { ...link, confirmed: true } : link))
  return { ...state, links, takenOver: takesOver ? { time, session } : state.takenOver }
}
