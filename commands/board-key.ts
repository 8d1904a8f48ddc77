// Keys of leaderboards. A leaderboard claims a key on the key's own stream, then takes it with an event of its own, and
// releases the claim of a key after an event of its own has given it up. If a call ends in between, a reaction releases
// what no leaderboard has (reactions/settle-board-keys.ts).

import { boardKey, boardKeyStream, claimKey, type KeyClaim, releaseKey } from '../domain/board-key.ts'
import { Refusal } from '../domain/decider.ts'
import { boardStream, giveUpKey, KeyNotClaimed, type Leaderboard, leaderboard } from '../domain/leaderboard.ts'
import { aboutBoard } from './about-board.ts'
import type { Handled } from './command-batch.ts'
import { type CommandContext, childContext } from './command-context.ts'
import type { CommandDeps } from './command-deps.ts'
import { loadState } from './load-state.ts'

/** The key of a leaderboard. */
export interface KeyOfBoard {
  readonly game: string
  readonly board: string
  readonly key: string
}

/** No `board` in the metadata: a history of the leaderboard has the events with which it takes and gives up the key. */
const about = ({ game, key }: KeyOfBoard) => ({ stream: boardKeyStream(game, key), game })

/**
 * Records a command that may need a claim on a key: with null first, and with the claim if the decision has thrown
 * KeyNotClaimed. 409 `leaderboard_key_taken`, and what `record` throws.
 */
export async function withClaim<Result>(
  deps: CommandDeps,
  of: Omit<KeyOfBoard, 'key'> & { readonly key: string | null | undefined },
  context: CommandContext,
  record: (claim: string | null) => Promise<Result>,
): Promise<Result> {
  const { key } = of
  if (key === null || key === undefined) return record(null)
  try {
    return await record(null)
  } catch (error) {
    if (!(error instanceof KeyNotClaimed)) throw error
  }
  const keyOfBoard = { ...of, key }
  // A repeat of the call makes the same claim.
  const claim = context.command
  const claimed = await deps.handler.handle(
    boardKey,
    about(keyOfBoard),
    childContext(context, 'key'),
    claimKey({ board: of.board, claim }),
  )
  try {
    return await record(claim)
  } catch (error) {
    // Another call of the same leaderboard may need an earlier claim that this one has replaced.
    if (claimed.before === null && isRefused(error)) await release(deps, keyOfBoard, claim, context)
    throw error
  }
}

/** Whether nothing was recorded. */
const isRefused = (error: unknown): boolean => error instanceof Refusal && error.code !== 'log_unavailable'

/** Releases the claim of the key that a leaderboard has given up with this command, if it has. */
export async function releaseGivenUp(
  deps: CommandDeps,
  { game, board }: Omit<KeyOfBoard, 'key'>,
  { before, after, replayed }: Pick<Handled<Leaderboard | null, unknown>, 'before' | 'after' | 'replayed'>,
  context: CommandContext,
): Promise<void> {
  if (replayed || before === null || before.key === null || before.claim === null) return
  if (before.claim !== after?.claim) await release(deps, { game, board, key: before.key }, before.claim, context)
}

async function release(deps: CommandDeps, of: KeyOfBoard, claim: string, context: CommandContext): Promise<void> {
  await deps.handler.handle(boardKey, about(of), childContext(context, 'release key'), releaseKey({ claim }))
}

/**
 * Makes a claim and its leaderboard agree, once the call that made it has ended: releases a claim that the leaderboard
 * does not have. A call that paused for longer than that may have taken a key after its claim was released: the
 * leaderboard then claims it again, or gives it up if another one has claimed it.
 */
export async function settleClaim(
  deps: CommandDeps,
  of: KeyOfBoard,
  claim: string,
  context: CommandContext,
): Promise<void> {
  const { game, board } = of
  const state: Leaderboard | null = await loadState(deps, leaderboard, boardStream(board))
  if (state?.claim !== claim) return release(deps, of, claim, context)
  const present: KeyClaim | null = await loadState(deps, boardKey, about(of).stream)
  if (present?.claim === claim) return
  try {
    await deps.handler.handle(boardKey, about(of), childContext(context, 'key'), claimKey({ board, claim }))
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'leaderboard_key_taken') throw error
    await deps.handler.handle(
      leaderboard,
      aboutBoard({ board, game }),
      childContext(context, 'give up key'),
      giveUpKey(claim),
    )
  }
}
