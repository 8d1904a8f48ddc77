// Reads key files: JSON with `prefix`, and `secret` or `private_key`; `privateKey` is read like `private_key`.

import type { ApiKey } from './signing.ts'

export interface KeyFile extends ApiKey {
  /** The key's game, if the file names it. */
  readonly game?: string
}

/** The key in the text of a key file; null if it holds none. */
export function keyIn(text: string): KeyFile | null {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof file !== 'object' || file === null) return null
  const { prefix, secret, private_key, privateKey = private_key, game } = file as Readonly<Record<string, unknown>>
  if (typeof prefix !== 'string') return null
  const ofGame = typeof game === 'string' ? { game } : {}
  if (typeof secret === 'string') return { prefix, secret, ...ofGame }
  return typeof privateKey === 'string' ? { prefix, privateKey, ...ofGame } : null
}
