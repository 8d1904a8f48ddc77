// Releases keys of leaderboards that were claimed and not taken, or given up and not released, if the request that
// should have done so failed.

import { type KeyOfBoard, settleClaim } from '../commands/board-key.ts'
import { foldBefore } from '../commands/fold.ts'
import type { KeyClaim } from '../domain/board-key.ts'
import { type StoredEvent, unsafeCast } from '../domain/event.ts'
import { type Leaderboard, leaderboard } from '../domain/leaderboard.ts'
import { idIn, idsIn } from '../domain/streams.ts'
import type { Log } from '../stores/contract/log.ts'
import { ownContext, type Reaction, type ReactionDeps } from './reaction.ts'
import { waitForAge } from './wait.ts'

/** Longer than any call takes, so that no running call needs the claim that is released. */
const CALL_ENDED_MS = 15_000

export function settleBoardKeys({ commands, now }: Pick<ReactionDeps, 'commands' | 'now'>): Reaction {
  return {
    name: 'settle_board_keys',
    takes: ['LeaderboardKeyClaimed', 'LeaderboardCreated', 'LeaderboardKeyChanged', 'LeaderboardArchived'],
    async react(event, signal) {
      const claims = await claimsOf(commands.log, event)
      if (claims.length === 0 || !(await waitForAge(event, now, signal, CALL_ENDED_MS))) return
      for (const { of, claim } of claims) await settleClaim(commands, of, claim, ownContext(now()))
    },
  }
}

interface Claimed {
  readonly of: KeyOfBoard
  readonly claim: string
}

/** The claims that the event is about: made, taken or given up. */
async function claimsOf(log: Log, { type, stream, revision, data, meta }: StoredEvent): Promise<readonly Claimed[]> {
  const game = meta.game ?? ''
  if (type === 'LeaderboardKeyClaimed') {
    const { board, claim } = unsafeCast<KeyClaim>(data)
    const [, key] = idsIn(stream)
    return [{ of: { game, board, key }, claim }]
  }
  const board = idIn(stream)
  const held = ({ key, claim }: Partial<Pick<Leaderboard, 'key' | 'claim'>>): Claimed[] =>
    key == null || claim == null ? [] : [{ of: { game, board, key }, claim }]
  if (type === 'LeaderboardCreated') return held(data)
  const before: Leaderboard | null = await foldBefore(log, leaderboard, stream, revision)
  return [...(before === null ? [] : held(before)), ...held(data)]
}
