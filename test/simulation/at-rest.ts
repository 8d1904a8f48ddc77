// When a history in real time is over: nothing that was set off is still on its way, and every node has heard everything.

import { RankingsLost } from '../../stores/contract/rankings.ts'
import { Caller } from './caller.ts'
import { unknown } from './command.ts'
import { makeGame } from './games.ts'
import type { History } from './history.ts'

const REST_MS = 30_000
/** A caller beside the others. */
const LAST = 1_000

export async function comeToRest(history: History): Promise<void> {
  const { world, cluster } = history
  await until(history, 'the rankings are filled', async () => {
    const filled = world.rankings?.size('').then(() => true)
    return filled?.catch(unlessLost) ?? true
  })
  await until(history, 'claims are finished', async () => (await unfinished(history)).length === 0)
  // Heard after all that was recorded before, and put into rankings that were whole by then.
  const last = await new Caller(history, unknown(), LAST).close(makeGame)
  const event = await world.log.eventAt(last)
  for (const { name, progress } of cluster.nodes) {
    const came = await progress.waitFor(event?.meta.game ?? null, last, REST_MS)
    if (!came) throw new Error(`${name} has not heard in ${REST_MS} ms what was recorded last`)
  }
}

async function until({ world }: History, what: string, holds: () => Promise<boolean>): Promise<void> {
  const begun = performance.now()
  while (!(await holds())) {
    if (performance.now() - begun > REST_MS) throw new Error(`${what}: not so in ${REST_MS} ms`)
    await world.scheduler.turn('')
  }
}

function unlessLost(why: unknown): false {
  if (why instanceof RankingsLost) return false
  throw why
}

/** Players that were claimed for an external id, and not made: a process makes them. */
async function unfinished({ world }: History): Promise<string[]> {
  const events = await world.log.readAll(null, Number.MAX_SAFE_INTEGER)
  const claimed = events.flatMap(({ type, data }) => (type === 'ExternalClaimed' ? [String(data.player)] : []))
  const made = new Set(events.flatMap(({ type, meta }) => (type === 'PlayerCreated' ? [meta.player] : [])))
  return claimed.filter((player) => !made.has(player))
}
