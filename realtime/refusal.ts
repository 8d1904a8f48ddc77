// Refusals of the rooms store and of the rate limits, as the client receives them.

import type { RoomRefusal as StoreRefusal } from '../stores/contract/rooms.ts'
import { type RefusalCode, RoomRefusal } from './events.ts'
import { type Batch, batchOf, eventText } from './frames.ts'
import { LISTENERS_PER_ROOM, ROOMS_PER_NETWORK, ROOMS_PER_PLAYER } from './limits.ts'

const REFUSED: Readonly<Record<StoreRefusal, string>> = {
  room_not_found: 'There is no such room.',
  room_full: 'All seats of the room are taken.',
  too_many_rooms: 'The game has as many rooms as it may have.',
  too_many_rooms_of_player: `You made ${ROOMS_PER_PLAYER} rooms that are still open. Wait until one of them ends.`,
  too_many_rooms_of_network: `${ROOMS_PER_NETWORK} rooms made from your network address are still open. Wait until one of them ends.`,
  too_many_listeners: `${LISTENERS_PER_ROOM} connections listen to the room already. Try again when one of them has ended.`,
  not_in_room: 'Join the room first.',
  member_not_found: 'There is no such member in the room.',
}

/** The three limits on rooms share one code; the detail says which one is reached. */
const codeOf = (refused: StoreRefusal): RefusalCode =>
  refused === 'too_many_rooms_of_player' || refused === 'too_many_rooms_of_network' ? 'too_many_rooms' : refused

export const refusal = (refused: StoreRefusal): RoomRefusal => new RoomRefusal(codeOf(refused), REFUSED[refused])

export const refusedText = (event: string, { code, message: detail }: RoomRefusal): string =>
  eventText('refused', JSON.stringify({ event, code, detail }))

interface TooFast {
  readonly refusal: RoomRefusal
  /** The answer to a message over the rate. */
  readonly batch: Batch
}

const tooFastOf = new Map<number | null, TooFast>()

/**
 * The refusal of messages at this rate, or of other events if the rate is null. Built once per rate, because a flooding
 * client gets it thousands of times.
 */
export function tooFast(rate: number | null): TooFast {
  const known = tooFastOf.get(rate)
  if (known !== undefined) return known
  const allowed = rate === null ? 'a few events a second' : `${rate} messages a second`
  const refusal = new RoomRefusal('too_fast', `Send at most ${allowed}, on average.`)
  const made = { refusal, batch: batchOf([refusedText('send', refusal)]) }
  tooFastOf.set(rate, made)
  return made
}
