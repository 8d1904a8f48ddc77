// Checks the types of Redis replies. An unexpected reply is a bug, or a server that is not what it claims to be, and
// throws.

import type { Reply } from './client.ts'

/** Each function throws a TypeError for any other type. */
export function listOf(reply: Reply | undefined): readonly Reply[] {
  return Array.isArray(reply) ? reply : unlike('a list', reply)
}

export const textOf = (reply: Reply | undefined): string => (typeof reply === 'string' ? reply : unlike('text', reply))

/** Accepts a number or its text: Redis truncates Lua numbers to integers, so scripts return others as text. */
export function numberOf(reply: Reply | undefined): number {
  const number = typeof reply === 'string' && reply !== '' ? Number(reply) : reply
  return typeof number === 'number' && !Number.isNaN(number) ? number : unlike('a number', reply)
}

export const textsOf = (reply: Reply | undefined): readonly string[] => listOf(reply).map(textOf)

/** Checks that the reply is one of a few words. */
export function wordOf<Word extends string>(reply: Reply | undefined, ...words: readonly Word[]): Word {
  return words.find((word) => word === reply) ?? unlike(words.join(' or '), reply)
}

/** Null for a nil reply, which Lua's `false` becomes. */
export const orNull = <T>(read: (reply: Reply) => T, reply: Reply | undefined): T | null =>
  reply === null ? null : read(reply ?? unlike('an answer', reply))

const SHOWN_CHARACTERS = 100

function unlike(wanted: string, reply: unknown): never {
  throw new TypeError(`Redis answered ${JSON.stringify(reply)?.slice(0, SHOWN_CHARACTERS)} instead of ${wanted}`)
}
