// Simulated commands about players that only a tenant sends: ban, unban and delete.

import type { Handled } from '../../../commands/command-batch.ts'
import type { CommandContext } from '../../../commands/command-context.ts'
import { deletePlayer as carryOut } from '../../../commands/forget.ts'
import * as players from '../../../commands/player.ts'
import type { Player } from '../../../domain/player.ts'
import { findPlayer } from '../../../queries/player.ts'
import type { Random } from '../../random.ts'
import type { Running } from '../world/node.ts'
import { type Known, type Ran, simCommand } from './command.ts'
import { notFound } from './refusals.ts'

interface Whom {
  readonly player: string
  readonly game: string
}

const REASONS = [null, 'unfair', 'loud']

/** One of the first few players, so that bans and deletions overlap with what these players do. */
function whom(random: Random, known: Known): Whom | null {
  const player = random.any(random.chance(0.7) ? known.players.slice(0, 3) : known.players)
  return player === null ? null : { player: player.id, game: player.game }
}

async function mustBeThere(node: Running, player: string): Promise<void> {
  if ((await findPlayer(node.queries, player)) === null) throw notFound('player')
}

function answered({ after, written, replayed }: Handled<Player | null, unknown>): Ran {
  return { answer: { banned: after?.banned ?? null }, written, replayed }
}

/** Duration of the ban; null: without an end. Some end before they begin. */
const BANS_MS = [null, null, -1_000, 2_000, 60_000, 900_000]

interface NewBan extends Whom {
  readonly reason: string | null
  readonly until: string | null
}

export const banPlayer = simCommand<NewBan>({
  name: 'ban player',
  weight: 4,
  generate(random, known) {
    const who = whom(random, known)
    const forMs = random.pick(BANS_MS)
    const until = forMs === null ? null : new Date(known.now() + forMs).toISOString()
    return who === null ? null : { ...who, reason: random.pick(REASONS), until }
  },
  async run(node, { player, game, reason, until }, context) {
    await mustBeThere(node, player)
    return answered(await players.ban(node.commands, { game, player }, { until, reason }, context))
  },
  apply(model, { player }) {
    const present = model.players.get(player)
    return present === undefined ? undefined : { banned: present.banned }
  },
  verdict(model, { player, reason, until }, { nowMs }) {
    const present = model.players.get(player)
    if (present === undefined) return 'player_not_found'
    if (until !== null && Date.parse(until) <= nowMs) return 'ban_end_passed'
    const { banned } = present
    return banned !== null && banned.reason === reason && banned.until === until ? 'nothing' : 'records'
  },
})

export const unbanPlayer = simCommand<Whom>({
  name: 'unban player',
  weight: 4,
  generate: whom,
  async run(node, { player, game }, context) {
    await mustBeThere(node, player)
    return answered(await players.unban(node.commands, { game, player }, context))
  },
  apply: () => ({ banned: null }),
  verdict(model, { player }) {
    const present = model.players.get(player)
    if (present === undefined) return 'player_not_found'
    return present.banned === null ? 'nothing' : 'records'
  },
})

export const deletePlayer = simCommand<Whom>({
  name: 'delete player',
  weight: 0.8,
  generate: whom,
  run: carryOutDeletion,
  apply: (_model, { player }) => ({ deleted: player }),
  verdict: (model, { player }) => (model.players.has(player) ? 'records' : 'player_not_found'),
})

async function carryOutDeletion(node: Running, { player, game }: Whom, context: CommandContext): Promise<Ran> {
  if (context.repeated) return { answer: { deleted: player }, written: null, replayed: true }
  await mustBeThere(node, player)
  const { written, replayed } = await carryOut(node.commands, game, player, context)
  return { answer: { deleted: player }, written, replayed }
}
