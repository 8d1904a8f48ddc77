// How a player comes by the ways to sign in: linked when they register, an address confirmed by
// the first code that reaches it.

import type { Decision } from './decider.ts'
import { Refusal } from './decider.ts'
import { type EmailConfirmedData, type Link, linkOf, type TakenOver } from './links.ts'
import type { Player, PlayerEvent } from './player.ts'

interface Registration {
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

/**
 * 409 `already_registered` where the player has another link of the first one's kind; 401 `sign_in_rejected` where they
 * are not there.
 */
export function register({ makes, name, links, session }: Registration): Decision<Player | null, PlayerEvent> {
  return (state) => {
    const [first] = links
    if (first === undefined) return []
    const added = links.map((data): PlayerEvent => ({ type: 'PlayerLinked', data }))
    const isGone = state === null ? !makes : state.deleted
    if (isGone) throw new Refusal('unauthenticated', 'sign_in_rejected', 'This player no longer exists. Sign in again.')
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
  const detail = 'The owner of this player’s address has signed in since. Sign in again.'
  return new Refusal('unauthenticated', 'sign_in_rejected', detail)
}

export function alreadyRegistered(): Refusal {
  const detail = 'This player has a login already. Sign in with that one, or register without this player’s token.'
  return new Refusal('conflict', 'already_registered', detail)
}

/**
 * A code reached the address. Nothing where the address is confirmed already; 401 `sign_in_rejected` where it is not
 * the player's.
 */
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
