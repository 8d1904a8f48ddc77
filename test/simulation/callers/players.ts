// Simulated commands about players that a tenant sends.

import { CALL_ANSWERED } from '../../../commands/command-batch.ts'
import * as players from '../../../commands/player.ts'
import { type Player, playerStream } from '../../../domain/player.ts'
import { findGame } from '../../../queries/game.ts'
import { findPlayer, playerAnswer } from '../../../queries/player.ts'
import { claimOn } from './bearers.ts'
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
  async run(node, { game, name, externalId }, context, known) {
    if ((await findGame(node.queries, game)) === null) throw notFound('game')
    const { id, handled } = await players.makePlayer(node.commands, game, { name, externalId }, context)
    known.players.push({ id, game })
    return { answer: playerAnswer(id, handled.after as Player), written: handled.written, replayed: handled.replayed }
  },
  apply(model, { name, externalId }, { type, stream, meta }) {
    if (type === 'ExternalClaimed') return undefined
    const id = stream.slice(playerStream('').length)
    // If another call has created the player of the claim, the answer shows that player's present state.
    const made = type === CALL_ANSWERED ? model.players.get(id) : undefined
    const { created, banned } = made ?? { created: meta.time, banned: null }
    return { id, name: made?.name ?? name, created, guest: false, external_id: externalId, banned }
  },
  verdict(model, { game, externalId }, { answeredIn }) {
    if (!model.games.has(game)) return 'game_not_found'
    const claimed = externalId === null ? undefined : model.externals.get(claimOn('external', game, externalId))
    if (claimed === undefined) return 'records'
    // Any call that needs the player of a claim creates it, so the claiming call may find nothing left to do.
    return answeredIn === playerStream(claimed) && model.players.has(claimed) ? 'nothing' : 'external_id_taken'
  },
})

export const renamePlayer = simCommand<{ player: string; game: string; name: string }>({
  name: 'rename player',
  weight: 6,
  generate: (random, known) => {
    const player = random.any(known.players)
    return player === null ? null : { player: player.id, game: player.game, name: random.pick(NAMES) }
  },
  async run(node, { player, game, name }, context) {
    if ((await findPlayer(node.queries, player)) === null) throw notFound('player')
    const { after, written, replayed } = await players.rename(node.commands, { game, player }, name, context)
    return { answer: { name: (after as Player).name }, written, replayed }
  },
  apply: (_model, { name }) => ({ name }),
  verdict(model, { player, name }) {
    const present = model.players.get(player)
    if (present === undefined) return 'player_not_found'
    if (present.name === null) return ['nothing', 'records']
    return present.name === name ? 'nothing' : 'records'
  },
})
