// Limits the bytes recorded per day: 16 MiB per player, and per game what the operator sets. Both are token buckets
// that hold a day's bytes and refill within a day. A call is charged after it has recorded, so it may take a bucket
// below zero; the next call is refused.
//
// Each node counts locally and charges the bucket shared by all nodes in steps of 64 KiB, so most submissions need no
// call to the shared store, and a limit is exceeded by at most one step per node.

import { Counter, type Registry } from 'prom-client'
import type { CallUsage } from '../../commands/count-recorded.ts'
import { Refusal } from '../../domain/decider.ts'
import { lru } from '../../runtime/lru.ts'
import type { BucketSpec, Buckets } from '../../stores/contract/transient.ts'

export const PLAYER_BYTES_PER_DAY = 16 * 1024 ** 2
export const RECORDED_STEP_BYTES = 64 * 1024
/** Accounts cached on this node. The least recently used one is dropped and starts full again. */
const MAX_CACHED_ACCOUNTS = 20_000
const MAX_CACHED_LIMITS = 1_000
/** A limit that the operator changes counts on every node after this time. */
const LIMIT_CACHED_MS = 10_000
const DAY_S = 86_400

/** The game and player that a call counts against; null for none. */
export interface CountedTo {
  readonly game: string | null
  readonly player: string | null
}

export interface RecordedBytesDeps {
  readonly rates: Pick<Buckets, 'spend'>
  /** The bytes a day that the operator has set for a game; null: no limit. */
  limitOf(game: string): Promise<number | null>
  readonly metrics: Registry
}

export interface RecordedBytes {
  /**
   * Starts counting a call. Throws or rejects with 429 `recording_limit`. Returns synchronously unless the game's limit
   * has to be read.
   */
  begin(to: CountedTo, nowMs: number): CallUsage | Promise<CallUsage>
  end(game: string | null, usage: CallUsage, nowMs: number): void
}

interface Account {
  /** Bytes left at `atMs`, as far as this node knows. */
  left: number
  atMs: number
  /** Bytes recorded here and not yet charged to the shared bucket. */
  pending: number
  isCharging: boolean
}

interface Limit {
  readonly bytes: number | null
  readonly untilMs: number
}

export function createRecordedBytes({ rates, limitOf, metrics }: RecordedBytesDeps): RecordedBytes {
  const counters = countersOn(metrics)
  const accounts = new Accounts(rates, counters)
  const limits = lru<string, Limit>(MAX_CACHED_LIMITS)

  function limitNow(game: string, nowMs: number): number | null | Promise<number | null> {
    const known = limits.get(game)
    if (known !== undefined && known.untilMs > nowMs) return known.bytes
    return limitOf(game).then((bytes) => {
      limits.set(game, { bytes, untilMs: nowMs + LIMIT_CACHED_MS })
      return bytes
    })
  }

  function beginCall({ game, player }: CountedTo, limit: number | null, nowMs: number): CallUsage {
    if (player !== null) accounts.check('player', playerBucket(player), nowMs)
    if (game !== null && limit !== null) accounts.check('game', gameBucket(game, limit), nowMs)
    return new CountedCall(player, (one) => accounts.check('player', playerBucket(one), nowMs))
  }

  return {
    begin(to, nowMs) {
      const limit = to.game === null ? null : limitNow(to.game, nowMs)
      return limit instanceof Promise ? limit.then((bytes) => beginCall(to, bytes, nowMs)) : beginCall(to, limit, nowMs)
    },
    end(game, { player, bytes }, nowMs) {
      if (bytes === 0) return
      counters.recorded.inc(bytes)
      if (player !== null) accounts.charge(playerBucket(player), bytes, nowMs)
      const limit = game === null ? null : (limits.get(game)?.bytes ?? null)
      if (game !== null && limit !== null) accounts.charge(gameBucket(game, limit), bytes, nowMs)
    },
  }
}

class Accounts {
  readonly #accounts = lru<string, Account>(MAX_CACHED_ACCOUNTS)
  readonly #rates: RecordedBytesDeps['rates']
  readonly #counters: ReturnType<typeof countersOn>

  constructor(rates: RecordedBytesDeps['rates'], counters: ReturnType<typeof countersOn>) {
    this.#rates = rates
    this.#counters = counters
  }

  /** Throws 429 `recording_limit` where nothing is left. */
  check(of: 'player' | 'game', spec: BucketSpec, nowMs: number): void {
    const left = this.#leftOf(spec, nowMs)
    if (left > 0) return
    this.#counters.refused.inc({ of })
    throw overLimit(of, spec, left)
  }

  charge(spec: BucketSpec, bytes: number, nowMs: number): void {
    const account = this.#accounts.get(spec.key) ?? { left: spec.burst, atMs: nowMs, pending: 0, isCharging: false }
    account.left = this.#leftOf(spec, nowMs) - bytes
    account.atMs = Math.max(account.atMs, nowMs)
    account.pending += bytes
    this.#accounts.set(spec.key, account)
    if (account.pending >= RECORDED_STEP_BYTES && !account.isCharging) void this.#chargeShared(account, spec, nowMs)
  }

  #leftOf({ key, perSecond, burst }: BucketSpec, nowMs: number): number {
    const account = this.#accounts.get(key)
    if (account === undefined) return burst
    const passedMs = Math.max(0, nowMs - account.atMs)
    return Math.min(burst, account.left + (passedMs * perSecond) / 1_000)
  }

  /** If the shared store is unavailable, this node keeps counting alone and charges the bytes later. */
  async #chargeShared(account: Account, spec: BucketSpec, nowMs: number): Promise<void> {
    const { pending } = account
    account.isCharging = true
    try {
      const left = await this.#rates.spend(spec, pending, nowMs)
      account.pending -= pending
      account.left = left - account.pending
      account.atMs = nowMs
    } catch {
      this.#counters.uncharged.inc()
    } finally {
      account.isCharging = false
    }
  }
}

class CountedCall implements CallUsage {
  bytes = 0
  #player: string | null
  readonly #check: (player: string) => void

  constructor(player: string | null, check: (player: string) => void) {
    this.#player = player
    this.#check = check
  }

  get player(): string | null {
    return this.#player
  }

  chargePlayer(player: string): void {
    this.#check(player)
    this.#player = player
  }
}

const playerBucket = (player: string): BucketSpec => perDay(`recorded-player:${player}`, PLAYER_BYTES_PER_DAY)
const gameBucket = (game: string, bytes: number): BucketSpec => perDay(`recorded-game:${game}`, bytes)
const perDay = (key: string, bytes: number): BucketSpec => ({ key, perSecond: bytes / DAY_S, burst: bytes })

function overLimit(of: 'player' | 'game', { perSecond }: BucketSpec, left: number): Refusal {
  const seconds = Math.max(1, Math.ceil((1 - left) / perSecond))
  const who = of === 'player' ? 'This player' : 'This game'
  const detail = `${who} has reached its daily recording limit. Wait ${seconds} s, and record less.`
  return new Refusal('too_many', 'recording_limit', detail, { retry_after: seconds, of })
}

function countersOn(metrics: Registry) {
  const registers = [metrics]
  return {
    recorded: new Counter({
      name: 'scorebook_recorded_bytes_total',
      help: 'Bytes recorded by calls of the API, as they count to the limits of players and games.',
      registers,
    }),
    refused: new Counter({
      name: 'scorebook_recording_refused_total',
      help: 'Calls refused as their player or game has recorded too much.',
      labelNames: ['of'],
      registers,
    }),
    uncharged: new Counter({
      name: 'scorebook_recorded_untaken_total',
      help: 'Times that recorded bytes could not be taken from the buckets that all nodes share; they are taken later.',
      registers,
    }),
  }
}
