// Every check of a contract must fail for a store that acknowledges and keeps nothing.

import { Buffer } from 'node:buffer'
import type { StoredEvent } from '../../domain/event.ts'
import type { History } from '../../stores/contract/history.ts'
import type { Log } from '../../stores/contract/log.ts'
import type { AllRankings, Rankings } from '../../stores/contract/rankings.ts'
import type { Revocations } from '../../stores/contract/revocations.ts'
import type { Rates, Transient } from '../../stores/contract/transient.ts'
import type { VaultStore } from '../../stores/contract/vault.ts'
import type { Views } from '../../stores/contract/views.ts'
import { nothingBy, skipsNothing } from '../memory/history.ts'
import { type FilesUnderTest, filesChecks } from './files.suite.ts'
import { historyChecks, withOwnHistory } from './history.suite.ts'
import { leasesChecks } from './leases.suite.ts'
import type { LeasesWorld } from './leases-model.ts'
import { logChecks } from './log.suite.ts'
import { rankingsChecks } from './rankings.suite.ts'
import { ratesChecks } from './rates.suite.ts'
import { revocationsChecks } from './revocations.suite.ts'
import { roomsChecks } from './rooms.suite.ts'
import type { RoomsWorld } from './rooms-watched.ts'
import { failsOnNothing } from './test-contract.ts'
import { transientChecks } from './transient.suite.ts'
import { vaultChecks } from './vault.suite.ts'
import { vaultStoreChecks } from './vault-store.suite.ts'
import { viewsChecks } from './views.suite.ts'

failsOnNothing('a log that does nothing', logChecks, doNothingLog)
failsOnNothing('a history that does nothing', historyChecks, async () => withOwnHistory(await doNothingLog()))
failsOnNothing('read models that do nothing', viewsChecks, doNothingViews)
failsOnNothing('a vault that does nothing', vaultChecks, doNothingVault)
failsOnNothing('a store of secrets that does nothing', vaultStoreChecks, doNothingVault)
failsOnNothing('short-lived things that nothing holds', transientChecks, doNothingTransient)
failsOnNothing('revocations that nobody hears of', revocationsChecks, doNothingRevocations)
failsOnNothing('token buckets that admit everybody', ratesChecks, doNothingRates)
failsOnNothing('leases that nobody gets', leasesChecks, async () => async (leaseMs) => doNothingLeases(leaseMs))
failsOnNothing('rooms where nobody sits', roomsChecks(3), async () => async () => doNothingRooms())
failsOnNothing('rankings that rank nothing', rankingsChecks, async () => doNothingRankings())
failsOnNothing('bytes that nobody keeps', filesChecks, doNothingFiles)

async function doNothingLog(): Promise<Log & History> {
  return {
    append: async (_stream, expected, events) => {
      const base = typeof expected === 'number' ? expected : -1
      return { kind: 'appended', revision: base + events.length, position: '0' }
    },
    readStream: async () => [],
    readAll: async () => [],
    part: async () => [],
    nth: async () => null,
    skip: skipsNothing,
    lastBy: nothingBy,
    eventAt: async () => null,
    head: async () => null,
    subscribe: nothing,
    close: async () => {},
  }
}

async function* nothing(): AsyncGenerator<readonly StoredEvent[]> {}

async function doNothingViews(): Promise<Views> {
  return {
    prepare: async () => {},
    list: async () => [],
    drop: async () => {},
    checkpoints: async () => new Map(),
    get: async (_view, _collection, ids) => ids.map(() => null),
    current: async (_view, _collection, ids) => ids.map(() => null),
    find: async () => [],
    count: async () => 0,
    scan: async () => [],
    commit: async () => {},
    durable: async () => {},
    close: async () => {},
  }
}

async function doNothingVault(): Promise<VaultStore> {
  return {
    putIfAbsent: async (_kind, _id, value) => value,
    get: async () => null,
    replace: async () => false,
    destroy: async () => {},
    destroyForGood: async () => {},
    idsOf: async () => [],
    scan: async () => [],
    swap: async () => false,
    close: async () => {},
  }
}

async function doNothingTransient(): Promise<Transient> {
  return {
    put: async () => {},
    take: async () => null,
    guess: async () => true,
    claim: async () => true,
    release: async () => {},
    lock: async () => true,
    unlock: async () => true,
  }
}

async function doNothingRates(): Promise<Rates> {
  return {
    take: async (buckets) => buckets.map(() => ({ admitted: true, remaining: 0, retryAfterMs: 0 })),
    spend: async ({ burst }) => burst,
    enter: async (windows) => windows.map(() => 0),
    leave: async () => {},
  }
}

function doNothingLeases(leaseMs: number): LeasesWorld {
  let nowMs = 0
  return {
    leases: { heartbeat: async () => ({ owned: [], used: [] }), leave: async () => {} },
    leaseMs,
    now: async () => nowMs,
    pass: async (ms) => {
      nowMs += ms
    },
  }
}

function doNothingRooms(): RoomsWorld {
  return {
    rooms: {
      enter: async () => ({
        heartbeat: async () => {},
        create: async () => null,
        join: async () => null,
        listen: async () => null,
        answered: async () => {},
        leave: async () => false,
        send: async () => ({ seq: 0, sentAtMs: 0 }),
        sendTo: async () => ({ sentAtMs: 0 }),
        close: async () => {},
      }),
      list: async () => ({ rooms: [], count: 0 }),
      listWhole: async () => ({ rooms: [], count: 0, next: 0 }),
      forget: async () => {},
    },
    deadMs: 1_000,
    pass: async () => {},
  }
}

const noRankings: Rankings = {
  isFilled: async () => false,
  isCurrent: async () => false,
  beginFill: async () => ({ finish: async () => {} }),
  put: async () => {},
  size: async () => 0,
  before: async () => 0,
  ranks: async (_, sortKeys) => sortKeys.map(() => null),
  range: async () => [],
  around: async () => null,
  lastApplied: async () => '',
}

function doNothingRankings(): AllRankings {
  return { putMax: 0, of: () => noRankings, drop: async () => {} }
}

async function doNothingRevocations(): Promise<Revocations> {
  return {
    note: async () => {},
    since: async () => ({ version: '', changes: [], whole: true, more: false }),
    find: async () => [],
  }
}

async function doNothingFiles(): Promise<FilesUnderTest> {
  return {
    files: {
      uploadLink: async () => ({ method: 'PUT', url: 'nothing:', headers: {} }),
      downloadLink: async () => 'nothing:',
      stored: async () => null,
      remove: async () => {},
      list: async () => [],
      owner: { read: async () => null, create: async () => {}, replace: async () => {} },
      sweepTemporary: async () => {},
      close: async () => {},
    },
    nowMs: 0,
    put: async () => 200,
    fetch: async () => ({ status: 200, bytes: Buffer.alloc(0) }),
  }
}
