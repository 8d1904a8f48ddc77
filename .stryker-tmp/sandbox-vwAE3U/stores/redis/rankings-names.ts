// The Redis keys of the rankings, and the flag that says which of them are valid.

import type { Position } from '../../domain/event.ts'

/**
 * What the flag says. Each fill has keys of its own, named after its generation: what a former one left never counts.
 */
export interface FilledFlag {
  /** The flag as it stands in Redis, compared whole. */
  readonly flag: string
  readonly generation: string
  /** The server's epoch when it was filled. */
  readonly epoch: string
  readonly at: Position
  /** What the rankings were filled as. */
  readonly name: string
}

/** The keys of one set of rankings: of one view in one partition. */
export interface SetNames {
  readonly flag: string
  readonly loading: string
  key(generation: string, key: string): string
}

/** Of a key that holds a ranking: its set, and the generation that it belongs to. */
export interface Owner {
  readonly names: SetNames
  readonly generation: string
}

/** What all keys of all rankings begin with. */
export const rankingsPrefix = (namespace: string): string => `${namespace}ranking:`

/** As long as no name beside it, so that a generation is none of them. */
const GENERATION = /^([^:]+):(\d+):([\w-]{8}):/

export function setNames(namespace: string, view: string, partition: number): SetNames {
  const prefix = `${rankingsPrefix(namespace)}${view}:${partition}:`
  return {
    flag: `${prefix}filled`,
    loading: `${prefix}loading`,
    key: (generation, key) => `${prefix}${generation}:${key}`,
  }
}

/** Null for a key that is no ranking of ours. */
export function ownerOf(namespace: string, key: string): Owner | null {
  const found = GENERATION.exec(key.slice(rankingsPrefix(namespace).length))
  if (found === null) return null
  const [, view = '', partition = '', generation = ''] = found
  return { names: setNames(namespace, view, Number(partition)), generation }
}

export function flagOf(generation: string, epoch: string, at: Position, name: string): FilledFlag {
  return { flag: JSON.stringify([generation, epoch, at, name]), generation, epoch, at, name }
}

export function readFlag(flag: string): FilledFlag {
  const [generation, epoch, at, name] = JSON.parse(flag) as [string, string, Position, string]
  return { flag, generation, epoch, at, name }
}
