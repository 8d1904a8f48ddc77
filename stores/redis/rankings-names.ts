// The Redis keys of the rankings, and the flag that says which of them are valid.

import type { Position } from '../../domain/event.ts'

/**
 * The parsed flag. Each fill has its own keys, named after its generation, so leftovers of an earlier fill never count.
 */
export interface FilledFlag {
  /** The stored text of the flag, compared as a whole. */
  readonly flag: string
  readonly generation: string
  /** The server's epoch at the fill. */
  readonly epoch: string
  readonly at: Position
  /** The name of the filled rankings. */
  readonly name: string
}

/** The keys of one set of rankings (one view in one partition). */
export interface SetNames {
  readonly flag: string
  readonly loading: string
  key(generation: string, key: string): string
}

/** Set and generation of a ranking key. */
export interface Owner {
  readonly names: SetNames
  readonly generation: string
}

/** Prefix of all ranking keys. */
export const rankingsPrefix = (namespace: string): string => `${namespace}ranking:`

/** Its length differs from that of the other names, so that a generation cannot equal one of them. */
const GENERATION = /^([^:]+):(\d+):([\w-]{8}):/

export function setNames(namespace: string, view: string, partition: number): SetNames {
  const prefix = `${rankingsPrefix(namespace)}${view}:${partition}:`
  return {
    flag: `${prefix}filled`,
    loading: `${prefix}loading`,
    key: (generation, key) => `${prefix}${generation}:${key}`,
  }
}

/** Null for a key that is not a ranking. */
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
