// How many connections there are on this node: in all, from each address, and of each player. Counted from the
// handshake on, so that who is let in is never one too many, and given back when the connection is over, or was never
// made.

import { SOCKETS_PER_ADDRESS, SOCKETS_PER_NODE, SOCKETS_PER_PLAYER } from './limits.ts'

/** What is full: the node, or what the address or the player may have. */
export type Full = 'node' | 'address' | 'player'

/** A place among them. */
export interface Place {
  /** Once for each, however often it is called. */
  free(): void
}

export interface Crowd {
  readonly size: number
  /** What is full for one more from this address, a player not yet known; null: there is a place. */
  full(address: string | null): Full | null
  /** Takes a place: of all, of the address and of the player, where these are known. */
  enter(address: string | null, player: string | null): Place | Full
}

interface CrowdLimits {
  readonly perNode: number
  readonly perAddress: number
  readonly perPlayer: number
}

const LIMITS: CrowdLimits = {
  perNode: SOCKETS_PER_NODE,
  perAddress: SOCKETS_PER_ADDRESS,
  perPlayer: SOCKETS_PER_PLAYER,
}

export function createCrowd({ perNode, perAddress, perPlayer }: CrowdLimits = LIMITS): Crowd {
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

/** How many there are of each; nobody (null) is not counted. */
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
