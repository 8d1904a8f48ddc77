// Runs Lua scripts by hash, and sends the text once to a server that does not know the hash.

import { createHash } from 'node:crypto'

export interface Script {
  readonly source: string
  readonly hash: string
}

export function script(source: string): Script {
  return { source, hash: createHash('sha1').update(source).digest('hex') }
}
