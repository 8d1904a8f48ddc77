// Fast non-cryptographic hashes, the same in every process: for hash tables and partitioning. An attacker can construct
// collisions.

const BASIS = 0x811c9dc5
const PRIME = 0x01000193

/**
 * FNV-1a (Fowler, Noll, Vo) over the code units of a text. The 32-bit result may be signed: `>>> 0` makes it unsigned.
 * `from`: the hash of the text before. Partitions depend on it, so it must never change.
 */
export function textHash(text: string, from: number = BASIS): number {
  let hash = from
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
  return hash
}

/** `textHash` of ASCII bytes from `start` to before `end`. */
export function bytesHash(bytes: Uint8Array, start: number, end: number): number {
  let hash = BASIS
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), PRIME)
  return hash
}

/** Mixes the bits, so that both high and low bits can be used. Unsigned. */
export function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (once ^ (once >>> 13)) >>> 0
}
