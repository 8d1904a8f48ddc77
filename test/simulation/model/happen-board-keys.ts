// The model of keys of leaderboards: the claims on them, and which leaderboard has which key.

import type { KeyClaim } from '../../../domain/board-key.ts'
import { type StoredEvent, unsafeCast } from '../../../domain/event.ts'
import type { Model } from './model.ts'

/** Applies the event to the model. Returns what is wrong with it, one line each. */
export function happenToBoardKeys(model: Model, event: StoredEvent): string[] {
  const happen = HAPPENINGS[event.type]
  return (happen?.(model, event) ?? []).map(
    (message) => `${event.type} of ${event.stream} at ${event.revision}: ${message}`,
  )
}

const HAPPENINGS: Readonly<Record<string, (model: Model, event: StoredEvent) => string[]>> = {
  LeaderboardKeyClaimed(model, { stream, data }) {
    const claim = unsafeCast<KeyClaim>(data)
    const present = model.keyClaims.get(stream)
    model.keyClaims.set(stream, claim)
    return present === undefined || present.board === claim.board ? [] : ['another leaderboard has it']
  },
  LeaderboardKeyReleased(model, { stream, data }) {
    const { board, claim } = unsafeCast<KeyClaim>(data)
    const present = model.keyClaims.get(stream)
    model.keyClaims.delete(stream)
    return present?.board === board && present.claim === claim ? [] : ['it is not claimed so']
  },
  LeaderboardKeyChanged(model, { data, meta }) {
    const board = model.boards.get(meta.board ?? '')
    if (board === undefined || board.archived) return ['there is no such leaderboard']
    const { key } = unsafeCast<{ key: string | null }>(data)
    const isGivenUp = meta.actor !== null || key === null
    board.key = key
    return isGivenUp ? [] : ['the service only gives keys up']
  },
}
