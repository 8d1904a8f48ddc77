// The model of events about players, their sessions and their sign-in methods: what each one means, and whether it is
// allowed in that state.

import { type StoredEvent, unsafeCast } from '../../../domain/event.ts'
import type { SessionStartedData } from '../../../domain/session.ts'
import type { Model, ModelLink } from './model.ts'

/** Applies the event to the model. Returns what is wrong with it, one line each. */
export function happenToPeople(model: Model, event: StoredEvent): string[] {
  const happen = HAPPENINGS[event.type]
  return (happen?.(model, event) ?? []).map(
    (message) => `${event.type} of ${event.stream} at ${event.revision}: ${message}`,
  )
}

type Happening = (model: Model, event: StoredEvent) => string[]

const idOf = ({ stream }: StoredEvent): string => stream.slice(stream.indexOf('-') + 1)

const HAPPENINGS: Readonly<Record<string, Happening>> = {
  PlayerCreated(model, event) {
    const { name, guest, externalId } = unsafeCast<{ name: string | null; guest: boolean; externalId: string | null }>(
      event.data,
    )
    const wrong = model.players.has(idOf(event)) || model.gone.has(idOf(event)) ? ['the player is there already'] : []
    const { game, time: created } = event.meta
    const fresh = { banned: null, links: [], takenOver: null, signOuts: 0 }
    model.players.set(idOf(event), { game: game ?? '', name, guest, externalId, created, ...fresh })
    return wrong
  },
  PlayerNamed(model, event) {
    const player = model.players.get(idOf(event))
    if (player === undefined) return ['there is no such player']
    player.name = unsafeCast<{ name: string | null }>(event.data).name
    return []
  },
  PlayerBanned(model, event) {
    const player = model.players.get(idOf(event))
    if (player === undefined) return ['there is no such player']
    const { until, reason } = unsafeCast<{ until: string | null; reason: string | null }>(event.data)
    player.banned = { since: player.banned?.since ?? event.meta.time, until, reason }
    return []
  },
  PlayerUnbanned(model, event) {
    const player = model.players.get(idOf(event))
    if (player?.banned === null || player === undefined) return ['the player is not banned']
    const { until } = player.banned
    player.banned = null
    // The service itself ends a ban when it expires.
    const isDue = until !== null && until <= event.meta.time
    return event.meta.actor === null && !isDue ? [`the ban is until ${until}`] : []
  },
  PlayerLinked(model, event) {
    const player = model.players.get(idOf(event))
    if (player === undefined) return ['there is no such player']
    const link = unsafeCast<ModelLink>(event.data)
    const stream = `${link.kind === 'login' ? 'login' : 'mail'}-${player.game}.${link.digest}`
    const claim = model.claims.get(stream)
    const isTheirs = claim?.player === idOf(event) && claim.secret === link.secret
    const isNew = player.links.every(({ kind }) => kind !== link.kind)
    player.links = [...player.links, { ...link }]
    player.guest = false
    return [...(isTheirs ? [] : [`the ${link.kind} is not theirs`]), ...(isNew ? [] : [`they have a ${link.kind}`])]
  },
  PlayerEmailConfirmed(model, event) {
    const player = model.players.get(idOf(event))
    const { digest, takesOver, session } = unsafeCast<{ digest: string; takesOver: boolean; session: string }>(
      event.data,
    )
    const link = player?.links.find((one) => one.kind === 'email' && one.digest === digest)
    if (player === undefined || link === undefined) return ['the address is not theirs']
    const wrong = link.confirmed ? ['the address was confirmed already'] : []
    link.confirmed = true
    if (takesOver) {
      player.takenOver = { time: event.meta.time, session }
      player.links = player.links.filter(({ kind }) => kind !== 'login')
    }
    return wrong
  },
  PlayerDeleted(model, event) {
    const player = model.players.get(idOf(event))
    if (player === undefined) return ['there is no such player']
    model.players.delete(idOf(event))
    model.gone.set(
      idOf(event),
      player.links.map(({ secret }) => secret),
    )
    return []
  },
  PlayerSignedOut(model, event) {
    const player = model.players.get(idOf(event))
    if (player === undefined) return ['there is no such player']
    player.signOuts += 1
    model.signedOutBy.set(event.meta.command, Number(event.data.sessions))
    return event.data.times === player.signOuts ? [] : [`it is said to be the sign-out number ${event.data.times}`]
  },
  SessionStarted(model, event) {
    const { player, key, signOuts = 0 } = unsafeCast<SessionStartedData>(event.data)
    const wrong = model.sessions.has(idOf(event)) ? ['the session has begun already'] : []
    model.sessions.set(idOf(event), { player, key, signOuts, ended: false })
    if (signOuts > (model.players.get(player)?.signOuts ?? signOuts)) wrong.push('it counts sign-outs that never were')
    return model.players.has(player) || model.gone.has(player) ? wrong : [...wrong, 'there is no such player']
  },
  SessionEnded(model, event) {
    const session = model.sessions.get(idOf(event))
    if (session === undefined || session.ended) return ['the session has not begun, or ended before']
    session.ended = true
    const { command } = event.meta
    model.endedBy.set(command, (model.endedBy.get(command) ?? 0) + 1)
    return []
  },
  ExternalClaimed(model, event) {
    const wrong = model.externals.has(event.stream) ? ['it is claimed already'] : []
    model.externals.set(event.stream, String(event.data.player))
    return wrong
  },
  ExternalReleased(model, event) {
    const wrong = model.externals.get(event.stream) === event.data.player ? [] : ['it is another one’s']
    model.externals.delete(event.stream)
    return wrong
  },
  LoginClaimed(model, event) {
    const { player, secret } = unsafeCast<{ player: string; secret: string }>(event.data)
    const wrong = model.claims.has(event.stream) ? ['it is claimed already'] : []
    model.claims.set(event.stream, { player, secret })
    return wrong
  },
  LoginContested(model, event) {
    return model.claims.has(event.stream) ? [] : ['nobody has it']
  },
  LoginReleased(model, event) {
    const wrong = model.claims.get(event.stream)?.player === event.data.player ? [] : ['it is another one’s']
    model.claims.delete(event.stream)
    return wrong
  },
}
