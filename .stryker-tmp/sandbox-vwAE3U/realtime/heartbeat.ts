// The heartbeat of this process as a node of the rooms, and whether it is heard.

import type { Logger } from 'pino'
import { ROOMS_BEAT_MS, type RoomsNode } from '../stores/contract/rooms.ts'

interface Pulse {
  /** Rejects with why the last beat failed. */
  check(): Promise<void>
  stop(): void
}

export function sendHeartbeats(node: RoomsNode, log: Logger): Pulse {
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
  const beating = setInterval(() => void heartbeat(), ROOMS_BEAT_MS)
  return {
    check: async () => {
      if (failed !== null) throw failed
    },
    stop: () => clearInterval(beating),
  }
}
