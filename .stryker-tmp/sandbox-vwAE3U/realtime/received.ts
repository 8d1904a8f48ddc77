// What clients have sent and this process has not read yet: parts of frames and of posted bodies, and frames that wait
// for their turn. Counted for each network address and for the node, so that many connections that send only half of
// something cannot fill the memory.

import { RECEIVED_PER_NETWORK_BYTES, RECEIVED_PER_NODE_BYTES } from './limits.ts'

/** The share of one connection or one request. */
export interface Account {
  /** Adds bytes; false, with nothing added, where the network or the node has no room for them. */
  add(bytes: number): boolean
  /** Takes back bytes that were added before. */
  subtract(bytes: number): void
  /** Takes back all that is left. What is added later is not counted. */
  close(): void
}

export interface Received {
  /** Bytes that all accounts hold. */
  readonly bytes: number
  account(network: string): Account
}

interface ReceivedLimits {
  readonly perNetwork: number
  readonly perNode: number
}

const LIMITS: ReceivedLimits = { perNetwork: RECEIVED_PER_NETWORK_BYTES, perNode: RECEIVED_PER_NODE_BYTES }

export function createReceived({ perNetwork, perNode }: ReceivedLimits = LIMITS): Received {
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
