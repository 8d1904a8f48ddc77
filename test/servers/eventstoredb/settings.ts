// The options with their defaults filled in.

import type { User } from './access.ts'
import type { Identity } from './front.ts'
import type { EventStoreOptions } from './options.ts'

export type Settings = Required<Omit<EventStoreOptions, 'dataFile' | 'identity' | 'users'>> & {
  readonly dataFile: string | null
  readonly identity: Identity | null
  readonly users: Readonly<Record<string, User>> | null
}

export function settingsOf(options: EventStoreOptions): Settings {
  return {
    port: 0,
    inMemory: false,
    systemEvents: false,
    systemLinks: false,
    statsEveryMs: 0,
    flushMs: 0,
    duplicateBatchMs: 2_000,
    duplicateUnaryMs: 3_000,
    copiesAnswered: 0,
    secondReplyMs: 2_000,
    maxAppendBytes: 1_048_576,
    rememberedIds: 110_000,
    liveBuffer: 512,
    now: Date.now,
    ...options,
    dataFile: options.dataFile ?? null,
    identity: options.identity ?? null,
    users: options.users ?? null,
  }
}
