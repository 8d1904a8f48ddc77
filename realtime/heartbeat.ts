// Sends the heartbeats of this process as a rooms node, and reports whether the last one failed.

import type { Logger } from 'pino'
import { ROOMS_BEAT_MS, type RoomsNode } from '../stores/contract/rooms.ts'

interface Heartbeats {
  /** Rejects with the error of the last heartbeat if it failed. */
  check(): Promise<void>
  stop(): void
}

export function sendHeartbeats(node: RoomsNode, log: Logger): Heartbeats {
  let failed: Error | null = null
  const heartbeat = async () => {
    try {
      await node.heartbeat()
      failed = null
    } catch (error) {
      failed = error instanceof Error ? error : new Error(String(error))
      log.warn({ failure: failed.message }, 'rooms: the heartbeat failed: trying again')
    }
  }
  const timer = setInterval(() => void heartbeat(), ROOMS_BEAT_MS)
  return {
    check: async () => {
      if (failed !== null) throw failed
    },
    stop: () => clearInterval(timer),
  }
}
