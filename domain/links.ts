// How the ways to sign in hang on a player: a login and an address, and what they make of the player's state.

import type { LoginKind } from './login.ts'

/** A login or an address of a player. */
export interface Link {
  readonly kind: LoginKind
  /** The keyed hash that its claim's stream is named by. */
  readonly digest: string
  /** Under this id the vault keeps what belongs to it. */
  readonly secret: string
  /** Whether the owner of the address has proven it; a login is confirmed from the start. */
  readonly confirmed: boolean
}

export interface EmailConfirmedData {
  readonly digest: string
  /**
   * True if the person who confirmed it was not signed in as this player: then all that was set before is void, and so
   * is every session but this one.
   */
  readonly takesOver: boolean
  /** The login that was void from then on. */
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
  /** The session that the owner of the address then began. */
  readonly session: string
}

/** The part of a player's state that links make. */
export interface Linked {
  readonly guest: boolean
  /** What they sign in by, beside a guest token and the tenant's tickets. */
  readonly links: readonly Link[]
  /** When the owner of their address took them over, which voids what was set before; null: never. */
  readonly takenOver: TakenOver | null
}

/** The player's link of a kind. */
export const linkOf = (state: Pick<Linked, 'links'>, kind: LoginKind): Link | null =>
  state.links.find((link) => link.kind === kind) ?? null

export function linked<State extends Linked>(state: State, link: Link): State {
  return { ...state, guest: false, links: [...state.links.filter(({ kind }) => kind !== link.kind), link] }
}

/** Whoever owns the address owns the player: the password set before goes, and with it whatever a guest had. */
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
