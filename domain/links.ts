// How the ways to sign in hang on a player: linked when they register, an address confirmed by the first code that reaches it.

import type { Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import type { LoginKind } from './login.ts'
import type { Player, PlayerEvent, TakenOver } from './player.ts'

/** A login or an address of a player. */
export interface Link {
  readonly kind: LoginKind
  /** The keyed hash that its claim's stream is named by. */
  readonly digest: string
  /** Under this id the vault keeps what belongs to it. */
  readonly secret: string
  /** Whether whoever is at the address has proven it; a login is confirmed from the first. */
  readonly confirmed: boolean
}

export interface EmailConfirmedData {
  readonly digest: string
  /**
   * True where whoever confirmed it was not signed in as this player: then all that was set before is void, and so is every
   * session but this one.
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

/** The player's link of a kind. */
export const linkOf = (state: Pick<Player, 'links'>, kind: LoginKind): Link | null =>
  state.links.find((link) => link.kind === kind) ?? null

export function linked(state: Player, link: Link): Player {
  return { ...state, guest: false, links: [...state.links.filter(({ kind }) => kind !== link.kind), link] }
}

/** Whoever owns the address owns the player: the password set before goes, and with it whatever a guest had. */
export function confirmed(state: Player, { digest, takesOver, session }: EmailConfirmedData, time: string): Player {
  const links = state.links
    .filter(({ kind }) => !(takesOver && kind === 'login'))
    .map((link) => (link.kind === 'email' && link.digest === digest ? { ...link, confirmed: true } : link))
  return { ...state, links, takenOver: takesOver ? { time, session } : state.takenOver }
}

export interface Registration {
  /** Whether the player is made by it; else they are there already. */
  readonly makes: boolean
  /** Of a player that is made, or the new one of a player that is there; null: as they are. */
  readonly name: string | null
  readonly links: readonly Link[]
  /** The session of a player who is there; null where it is not known, as to a process that finishes a call. */
  readonly session: OwnSession | null
}

/** Which one it is, and when it began (ISO 8601, UTC). */
export interface OwnSession {
  readonly id: string
  readonly begun: string
}

/** 409 `already_registered` where the player has another link of the first one's kind; 401 `sign_in_rejected` where they are not there. */
export function register({ makes, name, links, session }: Registration): Decision<Player | null, PlayerEvent> {
  return (state) => {
    const [first] = links
    if (first === undefined) return []
    const added = links.map((data): PlayerEvent => ({ type: 'PlayerLinked', data }))
    const isGone = state === null ? !makes : state.deleted
    if (isGone)
      throw new Refusal('unauthenticated', 'sign_in_rejected', 'This player is no longer there. Sign in anew.')
    if (state === null) {
      return [{ type: 'PlayerCreated', data: { name, guest: false, externalId: null } }, ...added]
    }
    const present = linkOf(state, first.kind)
    if (present?.secret === first.secret) return []
    if (present !== null || (makes && state.takenOver !== null)) throw alreadyRegistered()
    if (!makes && !isOwners(state.takenOver, session)) throw takenOverSince()
    const isNew = (event: PlayerEvent) => event.type !== 'PlayerLinked' || linkOf(state, event.data.kind) === null
    const named: PlayerEvent[] = name === null || name === state.name ? [] : [{ type: 'PlayerNamed', data: { name } }]
    return [...(makes ? [] : named), ...added.filter(isNew)]
  }
}

/** Whoever was signed in before the owner of the address came adds nothing to the player any more. */
function isOwners(takenOver: TakenOver | null, session: OwnSession | null): boolean {
  if (takenOver === null) return true
  return session !== null && (session.id === takenOver.session || session.begun > takenOver.time)
}

function takenOverSince(): Refusal {
  const detail = 'The owner of this player’s address has signed in since. Sign in anew.'
  return new Refusal('unauthenticated', 'sign_in_rejected', detail)
}

export function alreadyRegistered(): Refusal {
  const detail = 'This player has a login already. Sign in with that one, or register without this player’s token.'
  return new Refusal('conflict', 'already_registered', detail)
}

/** A code reached the address. Nothing where the address is confirmed already; 401 `sign_in_rejected` where it is not the player's. */
export function confirmEmail(data: Omit<EmailConfirmedData, 'login'>): Decision<Player | null, PlayerEvent> {
  return (state) => {
    const link = state === null ? null : linkOf(state, 'email')
    if (link === null || link.digest !== data.digest) {
      throw new Refusal(
        'unauthenticated',
        'sign_in_rejected',
        'This address is no longer the player’s. Ask for a new code.',
      )
    }
    if (state === null || link.confirmed) return []
    const voided = data.takesOver ? linkOf(state, 'login') : null
    const login = voided === null ? null : { digest: voided.digest, secret: voided.secret }
    return [{ type: 'PlayerEmailConfirmed', data: { ...data, login } }]
  }
}
