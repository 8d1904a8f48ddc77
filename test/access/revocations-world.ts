// Nodes that share one revocation store, each over its own connection that can fail or be slow, with one clock.

import { NodeRevocations } from '../../access/revocations.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import type { KeyStatus, Noted, PlayerStatus, Revocations } from '../../stores/contract/revocations.ts'
import { createRevocations } from '../../stores/embedded/revocations.ts'

/** `open`: works. `away`: rejects. `silent`: pending until `forgetExpired` answers it. */
export type Way = 'open' | 'away' | 'silent'

export interface TestNode {
  readonly revocations: NodeRevocations
  way: Way
  /** How many exchanges of each kind reached the store. */
  readonly asked: { note: number; since: number; find: number }
  /** Answers all pending calls with the present state. */
  forgetExpired(): void
}

export class RevocationsWorld {
  #store = createRevocations()
  elapsedMs = 1_000_000

  /** Everything in the store is gone. */
  flush(): void {
    this.#store = createRevocations()
  }

  find: Revocations['find'] = (subjects) => this.#store.find(subjects)

  node(): TestNode {
    const waiting: (() => void)[] = []
    const asked = { note: 0, since: 0, find: 0 }
    const through = async <T>(kind: keyof typeof asked, work: () => Promise<T>): Promise<T> => {
      if (node.way === 'away') throw new StoreUnavailable('planted')
      if (node.way === 'silent') await new Promise<void>((resolve) => waiting.push(resolve))
      asked[kind]++
      return work()
    }
    const store: Revocations = {
      note: (changes, nowMs) => through('note', () => this.#store.note(changes, nowMs)),
      since: (version) => through('since', () => this.#store.since(version)),
      find: (subjects) => through('find', () => this.#store.find(subjects)),
    }
    const clocks = { now: () => this.elapsedMs, elapsedMs: () => this.elapsedMs }
    const node: TestNode = {
      revocations: new NodeRevocations(store, clocks),
      way: 'open',
      asked,
      forgetExpired: () => {
        for (const resolve of waiting.splice(0)) resolve()
      },
    }
    return node
  }
}

/** A position, comparable by code unit. */
export const at = (n: number): string => n.toString(16).padStart(16, '0')

export const revokedKey = (prefix: string, index: number, permissions: readonly string[] = []): Noted<KeyStatus> => ({
  subject: `key:${prefix}`,
  pos: at(index),
  status: { revoked: true, permissions },
})

export const narrowedKey = (prefix: string, index: number, permissions: readonly string[]): Noted<KeyStatus> => ({
  subject: `key:${prefix}`,
  pos: at(index),
  status: { revoked: false, permissions },
})

export const endedSession = (session: string, index: number): Noted => ({
  subject: `session:${session}`,
  pos: at(index),
  status: { ended: true },
})

export const playerNow = (player: string, index: number, status: PlayerStatus): Noted<PlayerStatus> => ({
  subject: `player:${player}`,
  pos: at(index),
  status,
})

/** The name of what a promise rejects with; throws where it does not. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  const failure = await promise.then(
    () => null,
    (error: unknown) => error,
  )
  if (failure instanceof Error) return failure.name
  throw new Error('it did not reject')
}
