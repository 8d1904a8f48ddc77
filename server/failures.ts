// What failures of the stores do to the process: most end it at once. Damage of a file that is built from the log is
// different, because the file was removed or moved away. A start that finds it begins again and builds it. A running
// process stops in order, and its next start builds it.

import type { Logger } from 'pino'
import { outputOf } from '../runtime/log-output.ts'
import { DerivedDamaged } from '../stores/embedded/derived-database.ts'
import type { StoreHooks } from './open-stores.ts'

type OnDamage = (damaged: DerivedDamaged) => void

interface Stoppable {
  stop(): Promise<void>
}

/** Running requests have 10 s of it (server/serve.ts). */
const STOP_DEADLINE_MS = 20_000

export type Fatal = (reason: string, failure?: Error) => void

/** How often each file was damaged since this process began. */
export class DamageCounts {
  readonly byFile = new Map<string, number>()

  count({ file }: DerivedDamaged): void {
    this.byFile.set(file, (this.byFile.get(file) ?? 0) + 1)
  }
}

/** `fatal` logs the reason and ends the process. */
export function failureHooks(
  log: Logger,
  onDamage: OnDamage,
  damageCounts: DamageCounts,
): { readonly fatal: Fatal; readonly hooks: Pick<StoreHooks, 'onFailure' | 'onRepaired' | 'warn'> } {
  const fatal: Fatal = (reason, failure) => {
    log.fatal({ failure: failure?.stack }, reason)
    process.exit(1)
  }
  const onFailure = (error: Error) => {
    if (error instanceof DerivedDamaged) {
      damageCounts.count(error)
      onDamage(error)
    } else
      fatal(
        'a disk error occurred, and the last writes may be lost: the process stops. Check the disk, then start it again.',
        error,
      )
  }
  const onRepaired = (damage: DerivedDamaged) => {
    damageCounts.count(damage)
    log.error(damage.message)
  }
  return { fatal, hooks: { onFailure, onRepaired, warn: (message) => log.warn(message) } }
}

/**
 * Calls `startOnce`, and once more if it rejects after it reported damaged views, which were moved away; a rejected
 * call must have closed what it opened. Stops what it started if damage is reported later, and then calls `exit`, which
 * ends the process.
 */
export async function retryOnDamage<Running extends Stoppable>(
  log: Logger,
  startOnce: (onDamage: OnDamage) => Promise<Running>,
  exit: () => void = () => process.exit(1),
): Promise<Running> {
  const first = new DamageHandler(log, exit)
  try {
    return first.watch(await startOnce(first.report))
  } catch (failure) {
    if (first.found?.isMoved !== true) throw failure
    const second = new DamageHandler(log, exit)
    return second.watch(await startOnce(second.report))
  }
}

/** Logs damage, and stops the process if it is found after the start. */
class DamageHandler {
  readonly #log: Logger
  readonly #exit: () => void
  #running: Stoppable | null = null
  found: DerivedDamaged | null = null

  constructor(log: Logger, exit: () => void) {
    this.#log = log
    this.#exit = exit
  }

  readonly report: OnDamage = (damaged) => {
    this.#log.error(damaged.message)
    this.found = damaged
    if (this.#running !== null) this.#end(this.#running)
  }

  watch<Running extends Stoppable>(running: Running): Running {
    this.#running = running
    if (this.found !== null) this.#end(running)
    return running
  }

  /** Requests that read views are answered with 503 meanwhile. */
  #end(running: Stoppable): void {
    setTimeout(this.#exit, STOP_DEADLINE_MS).unref()
    running
      .stop()
      .catch(() => {})
      .then(() => outputOf(this.#log)?.flushed())
      .finally(this.#exit)
  }
}
