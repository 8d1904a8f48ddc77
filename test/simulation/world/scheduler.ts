// Runs everything in a simulated history as single steps, in an order that the seed decides. Time is virtual: it passes
// with the steps, and jumps to the next timer when nothing else can run.

import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import type { TimerOptions } from 'node:timers'
import timersPromises from 'node:timers/promises'
import type { Random } from '../../random.ts'
import { BEGINNING_MS, type StepScheduler } from './step-scheduler.ts'

/** A history with more steps than this does not settle. */
const STEPS_MAX = 200_000
const STEP_TAKES_MS = 3
/** How often a timer fires although other steps are ready. */
const TIMER_FIRST = 0.004
const realSetImmediate = globalThis.setImmediate

interface Step {
  readonly label: string
  go(): void
}

interface Timer {
  readonly dueMs: number
  go(): void
  /** lru-cache calls this on what setTimeout returns. */
  unref(): void
}

export class Scheduler implements StepScheduler {
  readonly random: Random
  readonly trace: string[] = []
  #elapsedMs = 0
  #leaptMs = 0
  #ready: Step[] = []
  #timers: Timer[] = []

  constructor(random: Random) {
    this.random = random
  }

  get nowMs(): number {
    return BEGINNING_MS + this.#elapsedMs + this.#leaptMs
  }

  leap(ms: number): void {
    this.#leaptMs += ms
  }

  /** Resolves when the scheduler picks this step. */
  step(label: string): Promise<void> {
    return new Promise((go) => {
      this.#ready.push({ label, go })
    })
  }

  note(text: string): void {
    this.trace.push(text)
  }

  /** The work is scheduled like all other steps, until no step is left. */
  inBackground(): void {}

  /** Runs a story and everything that it started until no step is left. */
  async play<T>(story: () => Promise<T>): Promise<T> {
    let end: { readonly result: T } | { readonly failure: unknown } | null = null
    const playing = story().then(
      (result) => {
        end = { result }
      },
      (failure: unknown) => {
        end = { failure }
      },
    )
    await this.#run()
    if (end === null) throw new Error('nothing more can happen, and the story has not come to its end')
    await playing
    const { result, failure } = end as { result?: T; failure?: unknown }
    if (failure !== undefined) throw failure
    return result as T
  }

  async #run(): Promise<void> {
    for (let steps = 0; ; steps++) {
      if (steps === STEPS_MAX) throw new Error(`still not at rest after ${STEPS_MAX} steps`)
      // All promise callbacks run before the next macrotask, so the last step has reached its next await.
      await new Promise((settled) => realSetImmediate(settled))
      const step = this.#next()
      if (step === null) return
      this.#elapsedMs += this.random.below(STEP_TAKES_MS)
      if (step.label !== '') this.trace.push(step.label)
      step.go()
    }
  }

  #next(): Step | null {
    if (this.#timers.length > 0 && (this.#ready.length === 0 || this.random.chance(TIMER_FIRST))) {
      const timer = this.#timers.reduce((first, one) => (one.dueMs < first.dueMs ? one : first))
      this.#forget(timer)
      this.#elapsedMs = Math.max(this.#elapsedMs, timer.dueMs)
      return { label: '', go: timer.go }
    }
    if (this.#ready.length === 0) return null
    const at = this.random.below(this.#ready.length)
    const step = this.#ready[at] as Step
    this.#ready[at] = this.#ready.at(-1) as Step
    this.#ready.pop()
    return step
  }

  #forget(timer: Timer): void {
    this.#timers = this.#timers.filter((one) => one !== timer)
  }

  #after(ms: number, go: () => void): Timer {
    const timer: Timer = { dueMs: this.#elapsedMs + ms, go, unref: () => {} }
    this.#timers.push(timer)
    return timer
  }

  #rest<T>(ms: number, value: T, signal: AbortSignal | undefined): Promise<T> {
    return new Promise((wake, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const aborted = () => {
        this.#forget(timer)
        reject(signal?.reason)
      }
      const timer = this.#after(ms, () => {
        signal?.removeEventListener('abort', aborted)
        wake(value)
      })
      signal?.addEventListener('abort', aborted, { once: true })
    })
  }

  /**
   * Replaces timers, the monotonic clock and Math.random for everything that `work` starts, because production code has
   * back-off and time-outs of its own. Other code in this process keeps the real ones.
   */
  async underItsTime<T>(work: () => Promise<T>): Promise<T> {
    const { setTimeout, clearTimeout, setImmediate } = globalThis
    const { random } = Math
    const { setTimeout: later } = timersPromises
    const now = performance.now.bind(performance)
    const isOurs = () => UNDER.getStore() === this
    Object.assign(globalThis, {
      setTimeout: (go: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
        if (!isOurs()) return setTimeout(go, ms, ...args)
        return this.#after(ms, () => go(...args))
      },
      clearTimeout: (timer: Timer | NodeJS.Timeout | undefined) => {
        if (timer !== undefined && 'dueMs' in timer) this.#forget(timer)
        else clearTimeout(timer)
      },
      setImmediate: (go: () => void) => (isOurs() ? void this.step('').then(go) : setImmediate(go)),
    })
    const ours = <T>(ms: number, value: T, signal?: AbortSignal) => this.#rest(ms, value, signal)
    const rest = (ms?: number, value?: unknown, options?: TimerOptions) =>
      isOurs() ? ours(ms ?? 0, value, options?.signal) : later(ms, value, options)
    Object.assign(timersPromises, { setTimeout: rest })
    syncBuiltinESMExports()
    Math.random = () => (isOurs() ? this.random.next() : random())
    Object.defineProperty(performance, 'now', { value: () => (isOurs() ? this.#elapsedMs : now()), configurable: true })
    try {
      return await UNDER.run(this, work)
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout, setImmediate })
      Object.assign(timersPromises, { setTimeout: later })
      syncBuiltinESMExports()
      Math.random = random
      Reflect.deleteProperty(performance, 'now')
    }
  }
}

/** The scheduler that the current asynchronous context belongs to. */
const UNDER = new AsyncLocalStorage<Scheduler>()
