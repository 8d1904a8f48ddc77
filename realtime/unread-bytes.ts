// Counts bytes that were received and not read yet: incomplete frames, incomplete POST bodies, and queued frames. The
// limits per network address and per node keep many connections with incomplete data from filling the memory.

import { RECEIVED_PER_NETWORK_BYTES, RECEIVED_PER_NODE_BYTES } from './limits.ts'

export interface Account {
  /** Adds bytes; false, with nothing added, if a limit would be exceeded. */
  add(bytes: number): boolean
  subtract(bytes: number): void
  /** Subtracts all bytes that are left. Bytes added later are not counted. */
  close(): void
}

export interface UnreadBytes {
  readonly bytes: number
  account(network: string): Account
}

interface UnreadBytesLimits {
  readonly perNetwork: number
  readonly perNode: number
}

const LIMITS: UnreadBytesLimits = { perNetwork: RECEIVED_PER_NETWORK_BYTES, perNode: RECEIVED_PER_NODE_BYTES }

export function createUnreadBytes({ perNetwork, perNode }: UnreadBytesLimits = LIMITS): UnreadBytes {
  let total = 0
  const networks = new Map<string, number>()
  const change = (network: string, bytes: number) => {
    total += bytes
    const left = (networks.get(network) ?? 0) + bytes
    if (left > 0) networks.set(network, left)
    else networks.delete(network)
  }
  const account = (network: string): Account => {
    let own = 0
    let isClosed = false
    const subtract = (bytes: number) => {
      const taken = Math.min(bytes, own)
      if (taken === 0) return
      own -= taken
      change(network, -taken)
    }
    return {
      add: (bytes) => {
        if (isClosed) return true
        if (total + bytes > perNode || (networks.get(network) ?? 0) + bytes > perNetwork) return false
        own += bytes
        change(network, bytes)
        return true
      },
      subtract,
      close: () => {
        isClosed = true
        subtract(own)
      },
    }
  }
  return {
    get bytes() {
      return total
    },
    account,
  }
}
