// Lua scripts, known to the server by their hash. One that does not know it yet is sent the text, once.

import { createHash } from 'node:crypto'

export interface Script {
  readonly source: string
  readonly hash: string
}

export function script(source: string): Script {
  return { source, hash: createHash('sha1').update(source).digest('hex') }
}
