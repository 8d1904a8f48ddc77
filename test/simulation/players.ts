// Simulated commands about players and their sessions.

import * as players from '../../commands/player.ts'
import * as sessions from '../../commands/session.ts'
import { type Player, playerStream } from '../../domain/player.ts'
import { sessionStream, signInRejected } from '../../domain/session.ts'
import { findGame } from '../../queries/game.ts'
import { findPlayer, playerAnswer } from '../../queries/player.ts'
import { simCommand } from './command.ts'
import { notFound } from './refusals.ts'

const NAMES = ['Ada', 'Bo', 'Çelik', '日本']

export const makePlayer = simCommand<{ game: string; name: string; externalId: string | null }>({
  name: 'make player',
  weight: 5,
  generate: (random, known) => {
    const game = random.any(known.games)
    if (game === null) return null
    return { game, name: random.pick(NAMES), externalId: random.chance(0.6) ? `ext ${random.below(4)}` : null }
  },
  async run(node, { game, name, externalId }, intent, known) {
    if ((await findGame(node.queries, game)) === null) throw notFound('game')
    const { id, handled } = await players.makePlayer(node.commands, game, { name, externalId }, intent)
    known.players.push({ id, game })
    return { answer: playerAnswer(id, handled.after as Player), written: handled.written, replayed: handled.replayed }
  },
  apply(model, { game, name, externalId }, { type, stream, meta, data }) {
    if (type === 'ExternalClaimed') {
      model.externals.set(`${game} ${externalId}`, data.player as string)
      return undefined
    }
    const id = stream.slice(playerStream('').length)
    const created = meta.time
    model.players.set(id, { game, name, guest: false, externalId, created, banned: null })
    return { id, name, created, guest: false, external_id: externalId, banned: null }
  },
  verdict(model, { game, externalId }) {
    if (!model.games.has(game)) return 'game_not_found'
    return externalId !== null && model.externals.has(`${game} ${externalId}`) ? 'external_id_taken' : 'records'
  },
})

export const renamePlayer = simCommand<{ player: string; game: string; name: string }>({
  name: 'rename player',
  weight: 6,
  generate: (random, known) => {
    const player = random.any(known.players)
    return player === null ? null : { player: player.id, game: player.game, name: random.pick(NAMES) }
  },
  async run(node, { player, game, name }, intent) {
    if ((await findPlayer(node.queries, player)) === null) throw notFound('player')
    const { after, written, replayed } = await players.rename(node.commands, game, player, name, intent)
    return { answer: { name: (after as Player).name }, written, replayed }
  },
  apply(model, { player, name }) {
    const present = model.players.get(player)
    if (present !== undefined) present.name = name
    return { name }
  },
  verdict(model, { player, name }) {
    const present = model.players.get(player)
    if (present === undefined) return 'player_not_found'
    return present.name === name ? 'nothing' : 'records'
  },
})

export const guestSignIn = simCommand<{ game: string; name: string | null }>({
  name: 'guest sign-in',
  weight: 4,
  generate: (random, known) => {
    const game = random.any(known.games)
    return game === null ? null : { game, name: random.chance(0.5) ? random.pick(NAMES) : null }
  },
  async run(node, { game, name }, intent, known) {
    if ((await findGame(node.queries, game)) === null) throw notFound('game')
    const { id, handled: made } = await players.makeGuest(node.commands, game, name, intent)
    if (made.replayed && (await findPlayer(node.queries, id)) === null) throw signInRejected()
    const guestToken = await sessions.keepSecret(node.commands, 'guest-token', id, intent.mint.secret('guest token'))
    const fresh = { game, player: id, key: 'sk_test', permissions: [], signOuts: 0 }
    const { id: session, refreshToken, handled } = await sessions.start(node.commands, fresh, intent)
    const owners = [
      await sessions.ownerOf(node.commands, 'guest-token', guestToken),
      await sessions.ownerOf(node.commands, 'refresh-token', refreshToken),
    ]
    known.players.push({ id, game })
    known.sessions.push({ id: session, game, player: id })
    const answer = { id, name: (made.after as Player).name, session, owners }
    return { answer, written: handled.written, replayed: handled.replayed }
  },
  apply(model, { game, name }, { type, stream, meta }) {
    if (type === 'PlayerCreated') {
      const id = stream.slice(playerStream('').length)
      const shown = name ?? `Guest${id.slice(0, 4)}`
      model.players.set(id, { game, name: shown, guest: true, externalId: null, created: meta.time, banned: null })
      return undefined
    }
    const session = stream.slice(sessionStream('').length)
    const id = meta.player ?? ''
    model.sessions.set(session, { player: id, ended: false })
    return { id, name: name ?? `Guest${id.slice(0, 4)}`, session, owners: [id, session] }
  },
  verdict: (model, { game }) => (model.games.has(game) ? 'records' : 'game_not_found'),
})

export const signOut = simCommand<{ id: string; game: string; player: string }>({
  name: 'sign out',
  weight: 2,
  generate: (random, known) => random.any(known.sessions),
  async run(node, { id, game, player }, intent) {
    const { events, written, replayed } = await sessions.end(node.commands, { game, player, session: id }, intent)
    return { answer: { ended: events.length }, written, replayed }
  },
  apply(model, { id }, { type }) {
    const present = model.sessions.get(id)
    if (present !== undefined) present.ended = true
    return { ended: type === 'SessionEnded' ? 1 : 0 }
  },
  verdict: (model, { id }) => (model.sessions.get(id)?.ended === false ? 'records' : 'nothing'),
})
