// Hashes for tables in memory and for sharing out: fast, the same in every process, and no protection against who
// chooses the text.

const BASIS = 0x811c9dc5
const PRIME = 0x01000193

/**
 * FNV-1a (Fowler, Noll, Vo) over the code units of a text, of 32 bits with a sign or without one: `>>> 0` makes it a
 * number from 0 up. `from`: what comes before the text, hashed. Partitions go by it, so it never changes.
 */
export function textHash(text: string, from: number = BASIS): number {
  let hash = from
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
  return hash
}

/** The same of ASCII text as bytes, from `start` and before `end`. */
export function bytesHash(bytes: Uint8Array, start: number, end: number): number {
  let hash = BASIS
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), PRIME)
  return hash
}

/** With its bits mixed once more, for who uses them from both ends. From 0 up. */
export function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (once ^ (once >>> 13)) >>> 0
}
