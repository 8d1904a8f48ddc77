// The connection limiter: counts this node's connections in total, per network address and per player. A slot is taken
// at the handshake, so the limits are never exceeded, and freed when the connection closes or is never opened.

import { SOCKETS_PER_ADDRESS, SOCKETS_PER_NODE, SOCKETS_PER_PLAYER } from './limits.ts'

export type Full = 'node' | 'address' | 'player'

export interface ConnectionSlot {
  /** Idempotent. */
  free(): void
}

export interface SocketLimiter {
  readonly size: number
  /** The limit that a further connection from this address would exceed, before the player is known; else null. */
  full(address: string | null): Full | null
  /** Takes a slot, or returns the limit that is reached. Null addresses and players are not counted. */
  enter(address: string | null, player: string | null): ConnectionSlot | Full
}

interface SocketLimits {
  readonly perNode: number
  readonly perAddress: number
  readonly perPlayer: number
}

const LIMITS: SocketLimits = {
  perNode: SOCKETS_PER_NODE,
  perAddress: SOCKETS_PER_ADDRESS,
  perPlayer: SOCKETS_PER_PLAYER,
}

export function createSocketLimiter({ perNode, perAddress, perPlayer }: SocketLimits = LIMITS): SocketLimiter {
  let size = 0
  const addresses = new Counts()
  const players = new Counts()
  const full = (address: string | null): Full | null => {
    if (size >= perNode) return 'node'
    return addresses.of(address) >= perAddress ? 'address' : null
  }
  return {
    get size() {
      return size
    },
    full,
    enter: (address, player) => {
      const isFull = full(address) ?? (players.of(player) >= perPlayer ? 'player' : null)
      if (isFull !== null) return isFull
      size++
      addresses.add(address, 1)
      players.add(player, 1)
      let isFree = false
      const free = () => {
        if (isFree) return
        isFree = true
        size--
        addresses.add(address, -1)
        players.add(player, -1)
      }
      return { free }
    },
  }
}

/** Counts per name; null is not counted. */
class Counts {
  readonly #counts = new Map<string, number>()

  of(name: string | null): number {
    return name === null ? 0 : (this.#counts.get(name) ?? 0)
  }

  add(name: string | null, more: number): void {
    if (name === null) return
    const count = this.of(name) + more
    if (count > 0) this.#counts.set(name, count)
    else this.#counts.delete(name)
  }
}
