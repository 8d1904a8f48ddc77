// The keys of the rankings in Redis, and the flag that says which of them count.

import type { Position } from '../../domain/event.ts'

/** What the flag says. Each fill has keys of its own, named after its generation: what a former one left never counts. */
export interface Standing {
  /** The flag as it stands in Redis, compared whole. */
  readonly flag: string
  readonly generation: string
  /** The server's epoch when it was filled. */
  readonly epoch: string
  readonly at: Position
  /** What the rankings were filled as. */
  readonly name: string
}

export interface RankingNames {
  readonly flag: string
  readonly loading: string
  /** What all keys of rankings begin with, but the two above. */
  readonly prefix: string
  key(generation: string, key: string): string
}

export function rankingNames(namespace: string): RankingNames {
  const prefix = `${namespace}ranking:`
  return {
    flag: `${namespace}rankings:filled`,
    loading: `${namespace}rankings:loading`,
    prefix,
    key: (generation, key) => `${prefix}${generation}:${key}`,
  }
}

export function standingOf(generation: string, epoch: string, at: Position, name: string): Standing {
  return { flag: JSON.stringify([generation, epoch, at, name]), generation, epoch, at, name }
}

export function readFlag(flag: string): Standing {
  const [generation, epoch, at, name] = JSON.parse(flag) as [string, string, Position, string]
  return { flag, generation, epoch, at, name }
}
